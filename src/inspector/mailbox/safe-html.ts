/** Elements that load, run, embed or navigate. The policy blocks them too. */
const FORBIDDEN_ELEMENTS = 'script, link, meta, base, iframe, frame, frameset, object, embed, portal, template'
/** Link attributes of HTML, SVG and MathML. */
const LINK_ATTRIBUTES = [
  'href',
  'xlink:href',
  'action',
  'formaction',
  'ping',
  'target',
  'srcdoc',
  'manifest',
  'background',
]

/** Attributes with external sources. */
const SOURCE_ATTRIBUTES = ['src', 'srcset', 'poster']

/** Removes all navigation from an email's HTML; link targets move to `data-link`. */
export function safeHtml(html: string, allowsMedia: boolean): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(FORBIDDEN_ELEMENTS)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const url = element.getAttribute('href')
    for (const name of LINK_ATTRIBUTES) element.removeAttribute(name)
    if (!allowsMedia) for (const name of SOURCE_ATTRIBUTES) element.removeAttribute(name)
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
