/** Elements that load, run, embed or lead elsewhere. The policy would stop each of them too. */
const OUT = 'script, link, meta, base, iframe, frame, frameset, object, embed, portal, template'
/** Attributes that a link of any kind goes by: of HTML, SVG and MathML. */
const LEADING = ['href', 'xlink:href', 'action', 'formaction', 'ping', 'target', 'srcdoc', 'manifest', 'background']

/** Attributes that load something from elsewhere. */
const LOADING = ['src', 'srcset', 'poster']

/** The HTML of an email with nothing in it that leads anywhere; where a link led stands in `data-link`. */
export function shownHtml(html: string, allowsMedia: boolean): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(OUT)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const url = element.getAttribute('href')
    for (const name of LEADING) element.removeAttribute(name)
    if (!allowsMedia) for (const name of LOADING) element.removeAttribute(name)
    for (const { name } of [...element.attributes]) if (name.startsWith('on')) element.removeAttribute(name)
    if (url && /^https?:/i.test(url.trim())) {
      element.setAttribute('data-link', url.trim())
      element.setAttribute('tabindex', '0')
      element.setAttribute('role', 'link')
    }
  }
  const style = mail.createElement('style')
  style.textContent =
    'html{background:#fff;color:#111;color-scheme:light;overflow-wrap:anywhere}body{margin:16px;font:14px/1.5 system-ui,sans-serif}img{max-width:100%}img:not([src]){outline:1px dashed #8a8f98;outline-offset:-1px;background:#eef0f3}[data-link]{cursor:pointer;color:#1a55c4;text-decoration:underline}'
  mail.head.prepend(style)
  return `<!doctype html>${mail.documentElement.outerHTML}`
}
