/** Terminal columns of a text. */
type WidthOf = (text: string) => number

/** A label wider than this part of the line has no column beside it. */
const MAX_LABEL = 0.4

/** Ends what stays on one line, such as a command to paste; shown as a space. */
const KEPT = '\u00a0'

/** A text that is not broken between its words. */
export const kept = (text: string): string => text.replaceAll(' ', KEPT)

/** What is read or pasted as one: a name in quotes, an entry between dots, and the help that a failure refers to. */
const TOGETHER = /"[^"\n]{1,60}"|(?<=· )[^·\n]{1,60}(?= ·|$)|See: [^"\n]{1,90} --help/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters control a terminal
const STYLES = /\u001b\[\d+m/g

/** Breaks lines that are too wide between words; a line is wider only if it has a word that fits into none. */
export const wrapped = (text: string, width: number, widthOf: WidthOf): string =>
  text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= width ? line : hanging(line.replace(TOGETHER, kept), width, widthOf)))
    .join('\n')
    .replaceAll(KEPT, ' ')

/** Breaks a line between words. Its further lines are indented, below the text if the line begins with a sign or a label. */
export function hanging(line: string, width: number, widthOf: WidthOf = ({ length }) => length): string[] {
  const indent = ' '.repeat(hangOf(line.replace(STYLES, ''), width, widthOf))
  const lines: string[] = []
  let current = ''
  for (const word of line.trimEnd().match(/ *[^ ]+/g) ?? []) {
    const next = indent + word.trimStart()
    // A word that no line has room for is broken by the terminal, wherever it begins.
    if (widthOf(current + word) > width && widthOf(next) <= width && widthOf(current) > indent.length) {
      lines.push(current)
      current = next
    } else current += word
  }
  return [...lines, current]
}

/** Where further lines of a line begin. */
function hangOf(line: string, width: number, widthOf: WidthOf): number {
  const [space = ''] = /^ */.exec(line)!
  const [head = ''] = /^ *(?:[✓✗!→?] )?(?:\S+(?: \S+)* {2,})?/.exec(line)!
  return widthOf(head) > width * MAX_LABEL ? space.length + 4 : widthOf(head)
}
