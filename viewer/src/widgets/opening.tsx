// SPDX-License-Identifier: Apache-2.0

/** The page before there is anything to show. */
export function Opening(props: { what: string; share: number | null; error: string | null }) {
  if (props.error !== null) {
    return (
      <div class="opening">
        <p class="error" role="alert">This profile cannot be shown: {props.error}.</p>
      </div>
    );
  }
  return (
    <div class="opening">
      <p role="status">{props.what}…</p>
      <progress aria-label={props.what} {...(props.share === null ? {} : { value: props.share })} />
    </div>
  );
}
