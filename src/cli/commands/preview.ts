import { type Command, Option } from 'commander'
import { FINDINGS } from '../../inspector/handset/findings.ts'
import { layOut } from '../../inspector/handset/layout.ts'
import { type PhonePlatform, PROFILES } from '../../inspector/handset/shapes.ts'
import { printable, printableIn } from '../output/printable.ts'
import { EXIT, type ExitCode } from '../process/exit.ts'
import { writeWhole } from '../process/files.ts'
import { LAST } from '../session/last-sent.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { findingLines, messageLines } from './preview/message-lines.ts'
import { pictureOf } from './preview/picture.ts'
import { previewSource } from './preview/source.ts'

interface Flags {
  as?: PhonePlatform
  lint?: boolean
  png?: string
  force?: boolean
}

export function add(program: Command, run: Run) {
  const command = program
    .command('preview')
    .helpGroup('Messages:')
    .description('Show a message as a phone would, and what the phone shows differently from the request')
    .argument(
      '<what>',
      `a JSON file with content or a whole send, - for stdin; or a message ("${LAST}" for the one sent last)`,
    )
    .addOption(new Option('--as <profile>', 'which phone; with --lint both unless given').choices(PROFILES))
    .option('--lint', 'only what is shown otherwise; exits with 7 where something is not shown at all')
    .option('--png <file>', 'write a picture of the phone, made by an installed Chromium')
    .option('--force', 'with --png: replace a file that is there')
    .addHelpText('after', AFTER)
  setAction(command, run, (session, [what], options: Flags) => preview(session, what!, options))
}

const AFTER = `
Rules are those that vendors publish; each finding has a code and its source (docs/inspector.md). Media are never loaded.

Examples:
  $ sandbox preview card.json
  $ sandbox preview last --as ios
  $ sandbox preview card.json --lint
  $ sandbox preview card.json --as ios --png card.png`

async function preview(session: Session, what: string, { as, lint, png, force = false }: Flags): Promise<ExitCode> {
  const { content, sender } = await previewSource(session, what)
  const profiles = as ? [as] : lint ? PROFILES : (['android'] as const)
  const layouts = profiles.map((profile) => layOut(content, profile))
  if (png !== undefined) {
    const bytes = await pictureOf({ content, profile: profiles[0]!, sender }, session.io)
    await writeWhole(session.io, png, bytes, { force })
  }
  const findings = layouts.flatMap(({ profile, findings }) =>
    findings.map(({ code, at }) => ({
      profile,
      code,
      at,
      ...weightOf(code),
      says: FINDINGS[code].says,
      source: FINDINGS[code].source,
    })),
  )
  const { profile, findings: _, ...layout } = layouts[0]!
  const answer = lint ? { findings } : { profile, layout, findings, ...(png === undefined ? {} : { png }) }
  session.output.data(answer, (paint) =>
    [
      ...(lint ? [] : [messageLines(printableIn(layouts[0]!), paint), '']),
      ...findingLines(printableIn(findings), paint),
      ...(png ? [`${paint.green('✓')} written to ${printable(png)}`] : []),
    ].join('\n'),
  )
  return lint && findings.some(({ weight }) => weight === 'drops') ? EXIT.expectation : EXIT.ok
}

const weightOf = (code: keyof typeof FINDINGS) => ({ weight: FINDINGS[code].weight as 'drops' | 'changes' | 'advice' })
