import { capitalised } from '../../words/sentence.ts'
import type { ExplanationAnswer } from '../api/answers.ts'
import { WORK_IN_WORDS } from '../time/work.ts'
import { When } from '../ui/parts.tsx'

export const nextOf = ({ what }: { what: string }): string => WORK_IN_WORDS[what] ?? what

type Reason = ExplanationAnswer['steps'][number]['because'][number]

/** The reasons of each step in order: consent, price, rule, carrier, draw. */
export const Story = ({ of: { steps, near_misses: near, next } }: { of: ExplanationAnswer }) => (
  <ol class="story">
    {steps.map(({ at, what, because }, i) => (
      <li key={`${what} ${i}`}>
        <h3>
          {capitalised(what.replaceAll('_', ' '))} <When at={at} precise />
        </h3>
        <Reasons of={because} />
      </li>
    ))}
    {next && (
      <li class="next">
        <h3>
          Next: {nextOf(next)} <When at={next.at} precise />
        </h3>
        <Reasons of={next.because} />
      </li>
    )}
    {near.length > 0 && (
      <li class="near">
        <h3>Rules that almost matched</h3>
        <ul class="plain">
          {near.map(({ rule_id, name, says }) => (
            <li key={rule_id}>
              <span class="about">{name ?? rule_id}</span> {says}
            </li>
          ))}
        </ul>
      </li>
    )}
  </ol>
)

const Reasons = ({ of: reasons }: { of: readonly Reason[] }) => (
  <ul class="plain">
    {reasons.map(({ about, says, draw, as_of }, i) => (
      <li key={`${about} ${i}`}>
        <span class="about">{about}</span> <bdi>{says}</bdi>
        {draw !== undefined && (
          <meter class="draw" min={0} max={1} value={draw} title={`drew ${draw}`} aria-label={`drew ${draw}`} />
        )}
        {as_of === 'now' && <span class="note"> current setting</span>}
      </li>
    ))}
  </ul>
)
