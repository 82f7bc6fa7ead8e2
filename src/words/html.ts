import { Parser, type Handler as ParserHandler } from 'htmlparser2'

/** An HTML mail as its reader sees it. */
export interface HtmlMail {
  text: string
  /** Its links in order, each with its text. */
  links: HtmlLink[]
  images: HtmlImage[]
  /** Text with colors of its own, as inline styles and attributes set them. */
  styled: StyledText[]
  /** Text that is hidden from the reader, such as a preheader. */
  hidden: string
}

export interface HtmlLink {
  /** The target as written; undefined for an anchor without one. */
  url: string | undefined
  text: string
}

interface StyledText {
  text: string
  color: string
  /** undefined if no element around it sets one. */
  background: string | undefined
}

interface HtmlImage {
  src: string | undefined
  /** undefined if the attribute is missing. */
  alt: string | undefined
}

/** Elements whose text is not part of the mail. */
const NOT_READ = new Set(['head', 'style', 'script', 'template', 'noscript', 'title', 'svg'])
/** Elements that begin and end a line. */
const LINES = new Set(
  'address article aside blockquote center div dl dd dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)
const CELLS = new Set(['td', 'th'])
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** Elements whose content is no HTML. */
const RAW = new Set(['script', 'style', 'title', 'textarea', 'noscript'])
/** Elements in one another, as many as a browser nests. The time of the parser grows with the square of their number. */
const MOST_NESTED = 512

const HIDDEN_STYLE = /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i

const isHidden = ({ style = '', hidden }: Readonly<Record<string, string>>) =>
  hidden !== undefined || HIDDEN_STYLE.test(style)

interface Colors {
  color?: string
  background?: string
}

function colorsOf({ style = '', bgcolor, color }: Readonly<Record<string, string>>): Colors {
  const front = /(?:^|;)\s*color\s*:\s*([^;]+)/i.exec(style)?.[1] ?? color
  const back = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)/i.exec(style)?.[1] ?? bgcolor
  return { ...(front && { color: front.trim() }), ...(back && { background: back.trim() }) }
}

/** Reads an HTML mail. Malformed HTML is read as browsers read it, as far as text and links go. */
export function readHtml(html: string): HtmlMail {
  const mail: HtmlMail = { text: '', links: [], images: [], styled: [], hidden: '' }
  let visible = ''
  let skipped: { name: string; depth: number; isRead: boolean } | undefined
  let link: HtmlLink | undefined
  const colors: Colors[] = [{}]
  let parser: Parser
  let nested = 0
  const add = (text: string) => {
    if (skipped) {
      if (skipped.isRead) mail.hidden += text
      return
    }
    visible += text
    if (link) link.text += text
    const { color, background } = colors.at(-1)!
    if (color !== undefined && text.trim() !== '') mail.styled.push({ text: text.trim(), color, background })
  }
  const handler: Partial<ParserHandler> = {
    onopentag(name, attributes) {
      if (++nested > MOST_NESTED && !RAW.has(name)) parser.pause()
      if (skipped) {
        if (name === skipped.name) skipped.depth++
        return
      }
      if ((NOT_READ.has(name) || isHidden(attributes)) && !VOID.has(name)) {
        skipped = { name, depth: 1, isRead: !NOT_READ.has(name) }
        return
      }
      if (!VOID.has(name)) colors.push({ ...colors.at(-1)!, ...colorsOf(attributes) })
      if (LINES.has(name) || name === 'br') add('\n')
      if (name === 'a' || name === 'area') {
        link = { url: attributes.href, text: '' }
        mail.links.push(link)
      }
      if (name === 'img') {
        mail.images.push({ src: attributes.src, alt: attributes.alt })
        if (link && attributes.alt) link.text += attributes.alt
      }
    },
    ontext: (text) => add(text.replace(/\s+/g, ' ')),
    onclosetag(name) {
      nested--
      if (skipped) {
        if (name === skipped.name && --skipped.depth === 0) skipped = undefined
        return
      }
      if (!VOID.has(name) && colors.length > 1) colors.pop()
      if (name === 'a') link = undefined
      if (LINES.has(name)) add('\n')
      if (CELLS.has(name)) add(' ')
    },
  }
  // Beyond the limit, another parser continues, which has forgotten the elements around.
  for (let rest = html; rest !== ''; rest = nested > MOST_NESTED ? rest.slice(parser.endIndex + 1) : '') {
    nested = 0
    parser = new Parser(handler)
    parser.end(rest)
  }
  mail.text = tidy(visible)
  mail.hidden = tidy(mail.hidden)
  for (const it of mail.links) it.text = tidy(it.text)
  return mail
}

/** Characters that hide or pad a preheader. */
const INVISIBLE = /\u00ad|\u034f|[\u200b-\u200f]|\u2007|\u2060|\ufeff/gu

const tidy = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
