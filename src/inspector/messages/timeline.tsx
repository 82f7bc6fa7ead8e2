import type { MessageAnswer } from '../api/answers.ts'
import { seenAt } from '../api/live.ts'
import { localTime } from '../api/time.ts'
import { Status, When } from '../ui/parts.tsx'
import { between } from '../ui/text.ts'

interface Happened {
  id: string
  event: string
  timestamp: string
}

/** Shows both clocks: the world's, which decides, and the machine's, for steps seen by this page. */
export const Timeline = ({
  message: { events: timeline },
  events,
}: {
  message: MessageAnswer
  events: readonly Happened[]
}) => (
  <div class="scroll">
    <table class="timeline">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">World's clock</th>
          <th scope="col">After</th>
          <th scope="col">Your clock</th>
        </tr>
      </thead>
      <tbody>
        {timeline.map(({ type, at }, i) => (
          <tr key={`${type} ${at} ${i}`}>
            <td>
              <Status of={type} />
            </td>
            <td>
              <When at={at} />
            </td>
            <td class="mono">{i === 0 ? '' : between(timeline[i - 1]!.at, at)}</td>
            <td class="mono">
              {seenOf(type, at, events) ?? (
                <span class="none" title="It happened before this page looked, or no event tells of it.">
                  –
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function seenOf(type: string, at: string, events: readonly Happened[]): string | undefined {
  const event = events.find(({ event, timestamp }) => event.endsWith(`.${type}`) && timestamp === at)
  const seen = event && seenAt.get(event.id)
  return seen === undefined ? undefined : localTime(seen)
}
