# SPDX-License-Identifier: Apache-2.0
"""SQLAlchemy's asyncio: the library works in a greenlet for the coroutine that awaits it. argv: rounds, rows."""
import asyncio
import sys

from burning import Burning
from sqlalchemy import Column, Integer, String, func, select
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import declarative_base

Base = declarative_base()


class Thing(Base):
    __tablename__ = "things"
    id = Column(Integer, primary_key=True)
    name = Column(String)


async def insert(session, numbers):
    session.add_all([Thing(id=number, name=f"thing {number}") for number in numbers])
    with Burning("insert"):
        await session.flush()  # mark: insert


async def update(session):
    things = (await session.execute(select(Thing))).scalars().all()
    for thing in things:
        thing.name += "!"
    with Burning("update"):
        await session.flush()  # mark: update


async def main(rounds, rows):
    engine = create_async_engine("sqlite+aiosqlite://")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    for i in range(rounds):
        async with AsyncSession(engine) as session:
            await insert(session, range(i * rows, (i + 1) * rows))
            await session.commit()
    async with AsyncSession(engine) as session:
        await update(session)
        print((await session.execute(select(func.count(Thing.id), func.max(Thing.name)))).one())
    await engine.dispose()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
