import { statusAfter } from '../../words/statuses.ts'
import type { MessageAnswer } from '../api/answers.ts'
import { seenAt } from '../api/live.ts'
import { localTime } from '../api/time.ts'
import { Status } from '../ui/parts.tsx'
import { between, timeOf } from '../ui/text.ts'

interface Happened {
  id: string
  event: string
  timestamp: string
}

/** Shows the world's clock, which decides, and the machine's for steps that this page saw. */
export function Timeline({
  message: { events: timeline },
  events,
}: {
  message: MessageAnswer
  events: readonly Happened[]
}) {
  const isSeen = timeline.some(({ type, at }) => seenOf(type, at, events) !== undefined)
  return (
    <div class="scroll">
      <table class="timeline">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">World clock</th>
            {isSeen && <th scope="col">Your clock</th>}
          </tr>
        </thead>
        <tbody>
          {timeline.map(({ type, at }, i) => (
            <tr key={`${type} ${at} ${i}`}>
              <td>
                <Status of={statusAfter(type)} />
              </td>
              <td>
                <span title={at} class="mono">
                  {timeOf(at)}
                </span>{' '}
                {i > 0 && <span class="note nowrap">{between(timeline[i - 1]!.at, at)}</span>}
              </td>
              {isSeen && <td class="mono">{seenOf(type, at, events) ?? <span class="none">–</span>}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function seenOf(type: string, at: string, events: readonly Happened[]): string | undefined {
  const event = events.find(({ event, timestamp }) => event.endsWith(`.${type}`) && timestamp === at)
  const seen = event && seenAt.get(event.id)
  return seen === undefined ? undefined : localTime(seen)
}
