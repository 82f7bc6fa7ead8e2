import type { CardLayout, ChipLayout, MessageLayout, TextLayout } from '../../../display/handset/shapes.ts'
import type { Paint } from '../../output/paint.ts'
import { linesOf } from '../../output/printable.ts'

/** A message as a terminal can show it: what is to be seen, and what is not. */

const NAMES = { android: 'Android', ios: 'iOS' } as const

export const messageLines = ({ profile, text, preview, cards, chips }: MessageLayout, paint: Paint): string =>
  [
    paint.bold(NAMES[profile]),
    ...(text ? linesOf(text.text).map((line) => `│ ${line}`) : []),
    ...(preview ? [paint.dim(`│ preview of ${preview}`)] : []),
    ...cards.flatMap((card) => cardLines(card, paint)),
    ...chipLines(chips, paint),
  ].join('\n')

function cardLines({ widthDp, heightDp, media, title, description, suggestions }: CardLayout, paint: Paint): string[] {
  return [
    paint.dim(`┌ card, ${widthDp} × ${heightDp} dp`),
    ...(media && !media.isDropped
      ? [paint.dim(`│ ${media.kind}, ${media.widthDp} × ${media.heightDp} dp: ${media.url}`)]
      : []),
    ...textLines(title, paint.bold, paint),
    ...textLines(description, (line) => line, paint),
    ...chipLines(suggestions, paint).map((line) => `│ ${line}`),
    paint.dim('└'),
  ]
}

const textLines = (text: TextLayout | undefined, style: (line: string) => string, paint: Paint): string[] => {
  if (!text) return []
  if (text.lines === 0) return [paint.yellow(`│ not shown: ${text.text}`)]
  const cut = text.lines < text.wanted ? paint.yellow(` … (${text.lines} of ${text.wanted} lines)`) : ''
  return [`│ ${style(text.text)}${cut}`]
}

const MARKS = { reply: '', dial: '✆ ', open_url: '↗ ' } as const

function chipLines(chips: readonly ChipLayout[], paint: Paint): string[] {
  const named = (visibility: ChipLayout['visibility']) =>
    chips.filter((chip) => chip.visibility === visibility).map(({ kind, text }) => `[ ${MARKS[kind]}${text} ]`)
  const folded = named('folded')
  const shown = [...(folded.length > 0 ? [`[ Options: ${folded.join(' ')} ]`] : []), ...named('shown')]
  const dropped = named('dropped')
  return [
    ...(shown.length > 0 ? [paint.cyan(shown.join(' '))] : []),
    ...(dropped.length > 0 ? [paint.yellow(`not shown: ${dropped.join(' ')}`)] : []),
  ]
}

interface ContentFinding {
  code: string
  at: string
  weight: string
  says: string
  source: string
}

export const findingLines = (findings: readonly ContentFinding[], paint: Paint): string[] =>
  findings.length === 0
    ? [paint.green('The phone shows everything.')]
    : findings.flatMap(({ code, at, weight, says, source }) => [
        `${weight === 'drops' ? paint.yellow(code) : code}  ${paint.dim(at)}`,
        `  ${says} ${paint.dim(`(${source})`)}`,
      ])
