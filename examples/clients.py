# SPDX-License-Identifier: Apache-2.0
"""Many asyncio clients against a local server, all in one process.

The server looks up words and sometimes has to think; the clients wait for it.
The profile separates the waiting from the little work that there is.

    ./pyrometer run examples/clients.py
"""

import asyncio
import hashlib

CLIENTS = 80
QUESTIONS = 50


def digest(word):
    """The work: a slow hash, as for passwords."""
    return hashlib.pbkdf2_hmac("sha256", word, b"salt", 1_000).hex()


async def answer(reader, writer):
    """Serves one client until it hangs up."""
    while line := await reader.readline():
        word = line.strip()
        if word.endswith(b"0"):
            await asyncio.sleep(0.02)  # the slow path: pretends to ask a database
        writer.write(digest(word).encode() + b"\n")
        await writer.drain()
    writer.close()


async def ask(port, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = []
    for question in range(QUESTIONS):
        writer.write(f"client {number} question {question}\n".encode())
        await writer.drain()
        answers.append((await reader.readline()).decode().strip())
        await asyncio.sleep(0.01)  # thinks before it asks again
    writer.close()
    return answers


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    answers = await asyncio.gather(*(ask(port, number) for number in range(CLIENTS)))
    server.close()
    combined = hashlib.sha256("".join(sum(answers, [])).encode()).hexdigest()
    print(f"{CLIENTS} clients, {CLIENTS * QUESTIONS} answers, digest {combined[:16]}")


if __name__ == "__main__":
    asyncio.run(main())
