/** Whether this page was asked for with pictures of messages; its policy lets them in only then. */
export const allowsMedia = new URLSearchParams(globalThis.location?.search ?? '').get('media') === 'allow'

/** Another page, as the policy of one that is shown cannot be changed. */
export const MediaSwitch = () => (
  <a class="button quiet" href={allowsMedia ? '/' : '/?media=allow'} onClick={keepPlace}>
    {allowsMedia ? 'Media are loaded: stop' : 'Load media from elsewhere'}
  </a>
)

function keepPlace(event: MouseEvent) {
  const link = event.currentTarget as HTMLAnchorElement
  link.href = `${allowsMedia ? '/' : '/?media=allow'}${location.hash}`
}
