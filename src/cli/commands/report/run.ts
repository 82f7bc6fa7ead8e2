import { join, relative, resolve } from 'node:path'
import { addToSummary } from '../../../evidence/github.ts'
import { placeOf } from '../../../evidence/place.ts'
import { printable } from '../../output/printable.ts'
import { EXIT, type ExitCode } from '../../process/exit.ts'
import { makeFolder, writeWhole } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export interface ReportFlags {
  title: string
  error?: string
  lease?: string
}

/** Writes the evidence of the world that the session speaks to, as the runners do for a failed test. */
export async function report(
  session: Session,
  folder: string,
  { title, error, lease }: ReportFlags,
): Promise<ExitCode> {
  const { io, output } = session
  const place = join(resolve(io.cwd, folder), placeOf({ title }, io.cwd))
  const [page, snapshot] = [`${place}.html`, `${place}.snapshot`].map((file) => relative(io.cwd, file)) as [
    string,
    string,
  ]
  const { lines } = await callOperation(session, 'evidence.show', { payload: { lease } })
  const html = await callOperation(session, 'evidence.page', { payload: { title, error, lease, snapshot } })
  const { name } = await callOperation(session, 'snapshots.save')
  const image = await callOperation(session, 'snapshots.export', { params: { name } })
  await callOperation(session, 'snapshots.delete', { params: { name } })
  makeFolder(io, folder)
  await writeWhole(io, page, Buffer.from(html), { force: true, isPublic: true })
  await writeWhole(io, snapshot, image, { force: true })
  await addToSummary({ title, lines, page }, io.env)
  output.data({ page, snapshot, lines }, (paint) =>
    [
      ...lines.map((line) => paint.red(printable(line))),
      `${paint.green('✓')} ${printable(page)}`,
      `  ${printable(snapshot)}`,
    ].join('\n'),
  )
  return EXIT.ok
}
