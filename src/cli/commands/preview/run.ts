import { FINDINGS } from '../../../display/handset/findings.ts'
import { layOut } from '../../../display/handset/layout.ts'
import { type PhonePlatform, PROFILES } from '../../../display/handset/shapes.ts'
import { printable, printableIn } from '../../output/printable.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { refuseUnwritable, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { pictureOf } from './picture.ts'
import { previewSource } from './source.ts'
import { findingLines, messageLines } from './tell.ts'

export interface PreviewFlags {
  as?: PhonePlatform
  lint?: boolean
  png?: string
  force?: boolean
}

export async function preview(
  session: Session,
  [what]: [string],
  { as, lint, png, force = false }: PreviewFlags,
): Promise<ExitCode> {
  // Refused before a browser draws it.
  if (png !== undefined) await refuseUnwritable(session.io, png, { force })
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
      weight: FINDINGS[code].weight,
      says: FINDINGS[code].says,
      source: FINDINGS[code].source,
    })),
  )
  const { profile, findings: _, ...layout } = layouts[0]!
  const answer = lint ? { findings } : { profile, layout, findings, ...(png === undefined ? {} : { png }) }
  session.output.data(answer, (paint) =>
    [
      ...(lint || png ? [] : [messageLines(printableIn(layouts[0]!), paint), '']),
      ...findingLines(printableIn(findings), paint),
      ...(png ? [`${paint.green('✓')} written to ${printable(png)}`] : []),
    ].join('\n'),
  )
  return lint && findings.some(({ weight }) => weight === 'drops') ? EXIT.expectation : EXIT.ok
}
