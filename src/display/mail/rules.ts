import { type HtmlMail, readHtml } from '../../words/html.ts'
import { colorOf, contrast } from './color.ts'
import type { LintFinding, LintMessage } from './finding.ts'

interface Mail {
  subject: string
  text: string
  html: string
  read: HtmlMail
  isNewsletter: boolean
  headers: Readonly<Record<string, string>> | undefined
}

interface Rule {
  level: LintFinding['level']
  source: string
  /** What is wrong, one text for each finding. */
  check: (mail: Mail) => readonly string[]
}

/** Gmail cuts longer messages. */
const CLIP_BYTES = 102 * 1024
const MAX_SUBJECT = 78
const MIN_PREHEADER = 20
const MIN_CONTRAST = 4.5

const UNSUBSCRIBES = /unsubscribe|opt[ -]?out|abmelden|abbestellen|abmeldung|désabonner|disiscri/i

const quoted = (text: string) => JSON.stringify(text.slice(0, 80))

/** The rules for emails. */
export const EMAIL_RULES: Readonly<Record<string, Rule>> = {
  'email/text-part': {
    level: 'error',
    source: 'RFC 2046 §5.1.4; spam filters count HTML without a text part',
    check: ({ text }) => (text.trim() === '' ? ['The email has no plain text part: add content.text.'] : []),
  },
  'email/subject': {
    level: 'error',
    source: 'RFC 5322 §2.1.1',
    check: ({ subject }) => {
      if (subject.trim() === '') return ['The email has no subject.']
      if (subject.length > MAX_SUBJECT)
        return [`The subject has ${subject.length} characters; many clients show fewer than ${MAX_SUBJECT}.`]
      const letters = subject.replace(/\P{L}/gu, '')
      return letters.length > 6 && letters === letters.toUpperCase() ? ['The subject is all capitals.'] : []
    },
  },
  'email/preheader': {
    level: 'warning',
    source: 'Litmus, Preview text',
    check: ({ html, read }) => {
      const preview = (read.hidden || read.text).split('\n')[0] ?? ''
      if (html === '' || preview.length >= MIN_PREHEADER) return []
      return [`The preview after the subject is ${quoted(preview)}: begin the HTML with a hidden preheader.`]
    },
  },
  'email/one-click-unsubscribe': {
    level: 'error',
    source: 'RFC 8058; required by Gmail and Yahoo for bulk senders',
    check: ({ isNewsletter, headers, read, text }) => {
      if (!isNewsletter) return []
      if (headers) return faultOfHeaders(headers)
      const links = [...read.links.flatMap(({ url, text }) => (url ? [`${url} ${text}`] : [])), ...text.split('\n')]
      return links.some((link) => /https:\/\//i.test(link) && UNSUBSCRIBES.test(link))
        ? []
        : ['The newsletter has no https link to unsubscribe.']
    },
  },
  'email/alt-text': {
    level: 'error',
    source: 'WCAG 2.2, 1.1.1',
    check: ({ read }) =>
      read.images
        .filter(({ alt }) => alt === undefined)
        .map(({ src }) => `The image ${quoted(src ?? '')} has no alternative text: add alt, empty for a decoration.`),
  },
  'email/link-target': {
    level: 'error',
    source: 'WCAG 2.2, 2.4.4',
    check: ({ read }) =>
      read.links
        .filter(({ url }) => url === undefined || /^\s*(#.*|javascript:.*)?$/i.test(url))
        .map(
          ({ url, text }) => `The link ${quoted(text)} leads nowhere${url ? `: its target is ${quoted(url)}` : ''}.`,
        ),
  },
  'email/link-host': {
    level: 'error',
    source: 'Clients warn of links whose text names another host (phishing)',
    check: ({ read }) =>
      read.links.flatMap(({ url = '', text }) => {
        const shown = /(?:https?:\/\/|www\.)[\w.-]+/i.exec(text)?.[0]
        const [visible, real] = [hostOf(shown), hostOf(url)]
        return visible !== undefined && real !== undefined && visible !== real
          ? [`The link shows ${visible} and leads to ${real}.`]
          : []
      }),
  },
  'email/contrast': {
    level: 'error',
    source: 'WCAG 2.2, 1.4.3',
    check: ({ read }) =>
      read.styled.flatMap(({ color, background, text }) => {
        const [front, back] = [colorOf(color), colorOf(background) ?? colorOf('white')!]
        const ratio = front ? contrast(front, back) : MIN_CONTRAST
        return ratio < MIN_CONTRAST
          ? [`The text ${quoted(text)} has a contrast of ${ratio.toFixed(1)} to 1; it needs ${MIN_CONTRAST}.`]
          : []
      }),
  },
  'email/size': {
    level: 'error',
    source: 'Gmail cuts messages over 102 KB',
    check: ({ html }) => {
      const bytes = new TextEncoder().encode(html).length
      return bytes > CLIP_BYTES ? [`The HTML has ${Math.ceil(bytes / 1024)} KB; Gmail cuts it at 102 KB.`] : []
    },
  },
  'email/dark-mode': {
    level: 'warning',
    source: 'Apple Mail and Outlook invert colors of mails that do not support dark mode',
    check: ({ html, read }) => {
      const isDeclared = /name\s*=\s*["']?color-scheme|prefers-color-scheme|[;{\s]color-scheme\s*:/i.test(html)
      return read.styled.length > 0 && !isDeclared
        ? ['The HTML sets colors and no color-scheme: in dark mode clients invert them.']
        : []
    },
  },
}

function faultOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  const header = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? undefined
  if (!/<https:\/\/[^>]+>/i.test(header('list-unsubscribe') ?? ''))
    return ['The newsletter has no header List-Unsubscribe with an https link.']
  return header('list-unsubscribe-post')?.trim() === 'List-Unsubscribe=One-Click'
    ? []
    : ['The newsletter has no header "List-Unsubscribe-Post: List-Unsubscribe=One-Click".']
}

function hostOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const absolute = /^https?:/i.test(url) ? url : `https://${url}`
  return URL.canParse(absolute) ? new URL(absolute).hostname.replace(/^www\./, '') : undefined
}

export function lintEmail({ subject, message_type, headers, content }: LintMessage): LintFinding[] {
  const html = content.html ?? ''
  const mail: Mail = {
    ...{ subject: subject ?? content.subject ?? '', text: content.text ?? '', html, read: readHtml(html), headers },
    isNewsletter: message_type === 'NEWSLETTER',
  }
  return Object.entries(EMAIL_RULES).flatMap(([rule, { level, source, check }]) =>
    check(mail).map((message) => ({ rule, level, message, source })),
  )
}
