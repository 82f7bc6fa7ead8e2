import { appendFile } from 'node:fs/promises'

/** A failure as GitHub Actions shows it. */
export interface Annotation {
  title: string
  message: string
  file?: string | undefined
  line?: number | undefined
}

/** The page of a failed test in the summary of a job. */
export interface SummaryEntry {
  title: string
  lines: readonly string[]
  page: string
}

const PROPERTY: readonly (readonly [RegExp, string])[] = [
  [/%/g, '%25'],
  [/\r/g, '%0D'],
  [/\n/g, '%0A'],
]
const OF_PROPERTY: typeof PROPERTY = [...PROPERTY, [/:/g, '%3A'], [/,/g, '%2C']]
const escaped = (text: string, escapes: typeof PROPERTY) =>
  escapes.reduce((done, [look, instead]) => done.replace(look, instead), text)

/** A workflow command: `::error file=…,line=…,title=…::message`. */
export function errorCommand({ title, message, file, line }: Annotation): string {
  const properties = Object.entries({ file, line, title }).filter(([, value]) => value !== undefined)
  const list = properties.map(([name, value]) => `${name}=${escaped(String(value), OF_PROPERTY)}`).join(',')
  return `::error ${list}::${escaped(message, PROPERTY)}`
}

/** Appends an entry to the summary of the job; does nothing outside of GitHub Actions. */
export async function addToSummary(
  { title, lines, page }: SummaryEntry,
  { GITHUB_STEP_SUMMARY }: Readonly<Record<string, string | undefined>> = process.env,
) {
  if (!GITHUB_STEP_SUMMARY) return
  const inList = lines.map((line) => `- ${inMarkdown(line)}\n`).join('')
  await appendFile(GITHUB_STEP_SUMMARY, `### ${inMarkdown(title)}\n\n${inList}\nPage: \`${page}\`\n\n`)
}

const inMarkdown = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_<>[\]|]/g, (mark) => `\\${mark}`)
