import type { Explored } from '../../../handlers/explore/options.ts'
import type { Paint } from '../../output/paint.ts'
import { printable } from '../../output/printable.ts'
import type { ExploreFlags } from './flags.ts'

export function told(
  { schedules, seed, failure, interrupted, audited }: Explored,
  { save, saveTest }: ExploreFlags,
  paint: Paint,
) {
  if (!failure && interrupted) return `interrupted: believed the truth in the ${schedules} schedules until then`
  if (!failure)
    return [
      `${paint.green('✓')} believed the truth after ${schedules} schedules ${paint.dim(`(seed ${seed})`)}`,
      ...(audited ? [] : [paint.dim('What it sends was not audited: --start it, or give --port and aim it there.')]),
    ].join('\n')
  const [title, ...lines] = failure.story.split('\n').map(printable)
  return [
    `${paint.red('✗')} found in schedule ${schedules}; this is the smallest one that fails${interrupted ? ', as far as is known' : ''}`,
    '',
    paint.bold(title!),
    ...lines.map((line) => (line.startsWith('  ✗') ? paint.red(line) : line)),
    '',
    paint.dim(`What the codes mean and how to mend it: docs/handlers.md#${failure.findings[0]!.code}`),
    `Repeat it with --seed ${failure.seed}${save || saveTest ? '' : ', keep it with --save FILE or --save-test FILE'}`,
    ...[save, saveTest].filter((file) => file !== undefined).map((file) => `Written to ${file}.`),
  ].join('\n')
}
