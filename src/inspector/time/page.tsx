import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { type Answer, call } from '../api/client.ts'
import { hrefOf } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { TrimmedField } from '../ui/fields.tsx'
import { Facts, Loaded, PageHead, Panel, Table, When } from '../ui/parts.tsx'
import { count, momentOf, shortId } from '../ui/text.ts'
import { advance, advanceTo, advanceToNext, scale, setMode } from './actions.ts'

type Report = Answer<'clock', 'advance'>

/** The report of the last advance. */
const report = signal<Report | undefined>(undefined)

const STEPS = ['1m', '1h', '24h'] as const
const MODES = ['real', 'frozen', 'auto'] as const

export function TimePage() {
  const clock = useRead('clock of time', () => call('clock', 'show'), { everyMs: 500 })
  const [to, setTo] = useState('')
  const [factor, setFactor] = useState('60')
  const told = (answer: Report) => {
    report.value = answer
  }
  const says = (answer: Report) => `${momentOf(answer.now)}; ${answer.total} things fired.`
  return (
    <>
      <PageHead title="Time" />
      <Loaded read={clock}>
        {(now) => (
          <Panel title="The world's clock">
            <p class="big mono">{momentOf(now.now)} UTC</p>
            <p class="choices">
              {MODES.map((mode) => (
                <ActionButton
                  key={mode}
                  act={setMode(mode)}
                  pressed={now.mode === mode}
                  says={() => `The clock is ${mode}.`}
                >
                  {mode}
                </ActionButton>
              ))}
              <ActionButton
                act={scale(Number(factor) || 60)}
                pressed={now.mode === 'scaled'}
                says={() => `The clock runs ${factor} times as fast.`}
              >
                scaled ×{now.factor ?? factor}
              </ActionButton>
              <input
                aria-label="How many times as fast"
                class="short"
                value={factor}
                onInput={({ currentTarget }) => setFactor(currentTarget.value)}
              />
            </p>
            <Facts of={[['Next is due', now.next_due_at ? <When at={now.next_due_at} full /> : 'nothing is due']]} />
          </Panel>
        )}
      </Loaded>
      <Panel title="Move time on">
        <p class="choices">
          <ActionButton
            act={advanceToNext()}
            kind="main"
            says={says}
            then={told}
            because={clock.value && !clock.value.next_due_at ? 'Nothing is due.' : undefined}
          >
            To what is due next
          </ActionButton>
          {STEPS.map((by) => (
            <ActionButton key={by} act={advance(by)} says={says} then={told}>
              +{by}
            </ActionButton>
          ))}
        </p>
        <div class="line">
          <TrimmedField
            label="To an instant, ISO 8601 UTC"
            value={to}
            placeholder={clock.value?.now ?? '2026-01-31T12:00:00Z'}
            set={setTo}
          />
          <ActionButton
            act={advanceTo(to || '…')}
            says={says}
            then={told}
            because={to ? undefined : 'Say which instant.'}
          >
            Go there
          </ActionButton>
        </div>
      </Panel>
      {report.value && <Fired of={report.value} />}
    </>
  )
}

const Fired = ({ of: { fired, total } }: { of: Report }) => (
  <Panel title={`What fired: ${count(total)}`}>
    <Table
      label="What fired"
      rows={fired.map((row, i) => ({ ...row, i }))}
      keyOf={({ i }) => i}
      empty="Nothing was due on the way."
      columns={[
        { title: 'At', cell: ({ at }) => <When at={at} full />, class: 'nowrap' },
        { title: 'What', cell: ({ what }) => what },
        {
          title: 'Of',
          cell: ({ subject }) =>
            subject.startsWith('msg_') ? (
              <a class="mono" href={hrefOf({ page: 'messages', id: subject })}>
                {shortId(subject)}
              </a>
            ) : (
              <span class="mono">{subject}</span>
            ),
        },
      ]}
    />
    {total > fired.length && <p class="note">The first {count(fired.length)} are shown.</p>}
  </Panel>
)
