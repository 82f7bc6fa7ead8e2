const KEY = 'media'
const isInAddress = new URLSearchParams(globalThis.location?.search ?? '').get('media') === 'allow'

/** True if this page may load media; its policy depends on the request. The address alone may come from another site. */
export const allowsMedia = isInAddress && sessionStorage.getItem(KEY) === 'allow'

/** Takes the consent back, so that a shared link or a reload asks again. */
export function forgetConsent() {
  if (!isInAddress) return
  sessionStorage.removeItem(KEY)
  history.replaceState(null, '', `/${location.hash}`)
}

/** A link, because the policy of a loaded page cannot change. */
export const MediaSwitch = () => (
  <a class="button quiet small" href={allowsMedia ? '/' : '/?media=allow'} onClick={keepPlace}>
    {allowsMedia ? 'Stop loading external media' : 'Load external media'}
  </a>
)

function keepPlace(event: MouseEvent) {
  event.preventDefault()
  // The same path with another hash would not load the page again.
  if (allowsMedia) return location.reload()
  sessionStorage.setItem(KEY, 'allow')
  location.assign(`/?media=allow${location.hash}`)
}
