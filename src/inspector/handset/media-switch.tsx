/** True if this page may load media; its policy depends on the request. */
export const allowsMedia = new URLSearchParams(globalThis.location?.search ?? '').get('media') === 'allow'

/** Removes the consent from the address, so that a shared link or a reload asks again. */
export function forgetConsentInAddress() {
  if (allowsMedia) history.replaceState(null, '', `/${location.hash}`)
}

/** A link, because the policy of a loaded page cannot change. */
export const MediaSwitch = () => (
  <a class="button quiet small" href={allowsMedia ? '/' : '/?media=allow'} onClick={keepPlace}>
    {allowsMedia ? 'Stop loading external media' : 'Load external media'}
  </a>
)

function keepPlace(event: MouseEvent) {
  event.preventDefault()
  const wanted = `${allowsMedia ? '/' : '/?media=allow'}${location.hash}`
  // The same path with another hash would not load the page again.
  if (allowsMedia) location.reload()
  else location.assign(wanted)
}
