import { type HtmlLink, readHtml } from './html.ts'

interface Content {
  html?: string | undefined
  text?: string | undefined
}

const PLAIN_LINK = /https?:\/\/[^\s<>"']+/g
/** Punctuation after a link in a sentence is not part of it. Searched once for each run of it, however long. */
const SENTENCE_END = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/

/** The web links of an email, each once: those of its HTML, or those of its text where it has no HTML. */
export function labelledLinksOf({ html, text }: Content): (HtmlLink & { url: string })[] {
  const inHtml = html === undefined ? [] : readHtml(html).links.filter(isOfWeb)
  const inText = (text ?? '').match(PLAIN_LINK)?.map((url) => ({ url: url.replace(SENTENCE_END, ''), text: '' })) ?? []
  const all = inHtml.length > 0 ? inHtml : inText
  const seen = new Set<string>()
  return all.filter(({ url }) => !seen.has(url) && seen.add(url))
}

const isOfWeb = (link: HtmlLink): link is HtmlLink & { url: string } => /^https?:\/\//i.test(link.url ?? '')

export const linksOf = (content: Content): string[] => labelledLinksOf(content).map(({ url }) => url)

/** The first link of an email; undefined without one. */
export const firstLinkOf = (content: Content): string | undefined => linksOf(content)[0]
