import { wrapped } from '../output/wrap.ts'

/**
 * The width of help. A line of 100 characters is as long as can be read easily; where the width is unknown, or 0 as in a
 * terminal without a size, a pager may follow in one of 80.
 */
export const widthOfHelp = ({ columns }: { columns?: number | undefined }): number => Math.min(columns || 80, 100)

/** Fits a page of help into a width: no line is longer unless one word is. Lines at the margin form paragraphs. */
export function fitted(text: string, width: number): string {
  const lines: string[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) lines.push(wrapped(paragraph.join(' '), width))
    paragraph = []
  }
  for (const line of text.split('\n')) {
    const isAtMargin = /^\S/.test(line)
    if (isAtMargin) paragraph.push(line)
    if (!isAtMargin || line.endsWith(':')) flush()
    if (!isAtMargin) lines.push(...indented(line, width))
  }
  flush()
  return lines.join('\n')
}

function indented(line: string, width: number): string[] {
  if (line.length <= width) return [line.trimEnd()]
  const [, command] = /^ {2}\$ (.*)$/.exec(line) ?? []
  if (command !== undefined) return commandLines(command, width)
  return [wrapped(line, width)]
}

const CONTINUED = ' \\'

/** Breaks a command line outside quotes, so that it can still be pasted. */
function commandLines(command: string, width: number): string[] {
  // An option stays with its value.
  const words = command.match(/--[\w-]+ (?!-)(?:"[^"]*"|'[^']*'|[^\s"'])+|(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  const lines: string[] = []
  let line = '  $'
  for (const word of words) {
    if (line.length + 1 + word.length + CONTINUED.length > width && line.trim() !== '$') {
      lines.push(line + CONTINUED)
      line = `     ${word}`
    } else line += ` ${word}`
  }
  return [...lines, line]
}
