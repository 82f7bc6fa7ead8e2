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

/**
 * The page's own styles come first, so that those of the email win. A root element without a background lets that of
 * the body fill the frame, and wide tables scroll.
 */
const STYLES = `:root{overflow-wrap:break-word}
body{margin:16px;font:14px/1.5 system-ui,sans-serif}
img{max-width:100%}
img[data-blocked]{outline:1px dashed #8a8f98;outline-offset:-1px}
[data-link]{cursor:pointer;text-decoration:underline}
[data-link]:not([style*=color]){color:light-dark(#1a55c4,#8ab4f8)}
[data-link]:focus-visible{outline:2px solid #4f7cff}`

/** Removes all navigation from an email's HTML; link targets move to `data-link`. */
export function safeHtml(html: string, allowsMedia: boolean, theme: 'light' | 'dark'): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(FORBIDDEN_ELEMENTS)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const url = element.getAttribute('href')
    for (const name of LINK_ATTRIBUTES) element.removeAttribute(name)
    if (!allowsMedia) blockSources(element)
    answerSchemeQueries(element, theme)
    for (const { name } of [...element.attributes]) if (name.startsWith('on')) element.removeAttribute(name)
    if (url && /^https?:/i.test(url.trim())) {
      element.setAttribute('data-link', url.trim())
      element.setAttribute('tabindex', '0')
      element.setAttribute('role', 'link')
    }
  }
  const style = mail.createElement('style')
  style.textContent = `:root{color-scheme:${theme}}\n${STYLES}`
  const referrer = mail.createElement('meta')
  referrer.name = 'referrer'
  referrer.content = 'no-referrer'
  mail.head.prepend(referrer, style)
  return `<!doctype html>${mail.documentElement.outerHTML}`
}

const SCHEME_QUERY = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi

/** Answers the queries of an email for the shown theme; by itself the frame answers them for the browser's. */
function answerSchemeQueries(element: Element, theme: 'light' | 'dark') {
  const answered = (text: string) =>
    text.replace(SCHEME_QUERY, (_, scheme: string) => `(min-width: ${scheme.toLowerCase() === theme ? 0 : '100000px'})`)
  if (element.tagName.toLowerCase() === 'style') element.textContent = answered(element.textContent ?? '')
  const media = element.getAttribute('media')
  if (media) element.setAttribute('media', answered(media))
}

/** Removes external sources; an image keeps its size. */
function blockSources(element: Element) {
  const source = element.getAttribute('src')
  for (const name of SOURCE_ATTRIBUTES) element.removeAttribute(name)
  if (element.tagName.toLowerCase() !== 'img' || source === null) return
  if (/^data:image\//i.test(source)) return element.setAttribute('src', source)
  element.setAttribute('data-blocked', '')
  element.setAttribute('src', placeholderOf(element))
}

/** A drawing of the size that the element asks for, with its alternative text. */
function placeholderOf(image: Element): string {
  const size = (name: string, otherwise: number) => Number.parseInt(image.getAttribute(name) ?? '', 10) || otherwise
  const [width, height] = [size('width', 120), size('height', 60)]
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  drawing.innerHTML =
    '<rect width="100%" height="100%" fill="#8a8f98" fill-opacity=".18"/>' +
    '<text x="50%" y="50%" font-family="sans-serif" font-size="12" fill="#8a8f98" text-anchor="middle" dominant-baseline="middle"/>'
  drawing.setAttribute('width', String(width))
  drawing.setAttribute('height', String(height))
  drawing.lastElementChild!.textContent = image.getAttribute('alt')
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`
}
