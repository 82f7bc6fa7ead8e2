/** True where this page may load media; its policy depends on the request. */
export const allowsMedia = new URLSearchParams(globalThis.location?.search ?? '').get('media') === 'allow'

/** A link, because the policy of a loaded page cannot change. */
export const MediaSwitch = () => (
  <a class="button quiet" href={allowsMedia ? '/' : '/?media=allow'} onClick={keepPlace}>
    {allowsMedia ? 'Media are loaded: stop' : 'Load media from elsewhere'}
  </a>
)

function keepPlace(event: MouseEvent) {
  const link = event.currentTarget as HTMLAnchorElement
  link.href = `${allowsMedia ? '/' : '/?media=allow'}${location.hash}`
}
