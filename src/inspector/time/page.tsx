import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { quantity, withCommas } from '../../words/number-text.ts'
import { type Answer, call } from '../api/client.ts'
import { namespace } from '../api/namespace.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { hrefOf } from '../api/place.ts'
import { useCall } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Field } from '../ui/fields.tsx'
import { UNREAD } from '../ui/names.ts'
import { Facts, Loaded, PageHead, Panel, SubjectLink, When } from '../ui/parts.tsx'
import { PagedTable, ShownOf, Table } from '../ui/table.tsx'
import { momentOf, pageOfWork } from '../ui/text.ts'
import { advance, advanceTo, advanceToNext, scale, setMode } from './actions.ts'
import { WORK_IN_WORDS } from './work.ts'

type Report = Answer<'clock', 'advance'>

/** The reports of advances in this tab, newest first. */
const reports = signal<readonly { namespace: string; report: Report }[]>([])

const STEPS = ['1m', '1h', '24h'] as const
const MODES = ['real', 'frozen', 'auto'] as const

export function TimePage() {
  const clock = useCall(['clock', 'show'], { everyMs: 500 })
  const [to, setTo] = useState('')
  const [typed, setTyped] = useState<string>()
  const factor = typed ?? String(clock.value?.factor ?? 60)
  const keep = (report: Report) => {
    reports.value = [{ namespace: namespace.value, report }, ...reports.value].slice(0, 20)
  }
  const describe = ({ now, total }: Report) => `It is ${momentOf(now)}. ${quantity(total, 'items')} ran.`
  return (
    <>
      <PageHead title="Time" />
      <div class="columns">
        <Panel title="World clock">
          <Loaded read={clock}>
            {(now) => (
              <>
                <p class="big mono">{momentOf(now.now)} UTC</p>
                <p class="choices wrap">
                  {MODES.map((mode) => (
                    <ActionButton
                      key={mode}
                      act={setMode(mode)}
                      pressed={now.mode === mode}
                      describe={() => `The clock is ${mode}.`}
                    >
                      {mode}
                    </ActionButton>
                  ))}
                  <ActionButton
                    act={scale(Number(factor) > 0 ? Number(factor) : 60)}
                    because={Number(factor) > 0 ? undefined : 'Enter a factor above 0.'}
                    pressed={now.mode === 'scaled' && now.factor === Number(factor)}
                    describe={() => `The clock runs at ${factor} times normal speed.`}
                  >
                    scaled ×{factor}
                  </ActionButton>
                  <input
                    aria-label="Speed factor"
                    class="short"
                    inputMode="decimal"
                    value={factor}
                    onInput={({ currentTarget }) => setTyped(currentTarget.value)}
                  />
                </p>
                <Facts
                  of={[
                    ['Next scheduled work', now.next_due_at ? <When at={now.next_due_at} /> : 'none'],
                    ...now.waiting_for.map(
                      ({ url, deliveries }) => ['Waiting for', `${url} to answer ${deliveries} deliveries`] as const,
                    ),
                  ]}
                />
              </>
            )}
          </Loaded>
        </Panel>
        <Panel title="Advance the clock">
          <p class="choices wrap">
            <ActionButton
              act={advanceToNext()}
              kind="main"
              describe={describe}
              then={keep}
              because={clock.value && !clock.value.next_due_at ? 'Nothing is scheduled.' : undefined}
            >
              To the next scheduled work
            </ActionButton>
            {STEPS.map((by) => (
              <ActionButton key={by} act={advance(by)} describe={describe} then={keep}>
                +{by}
              </ActionButton>
            ))}
          </p>
          <div class="line">
            <Field label="To a time (UTC)" class="field wide">
              <input type="datetime-local" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
            </Field>
            <ActionButton
              act={advanceTo(to ? `${to}:00Z` : (clock.value?.now ?? ''))}
              describe={describe}
              then={keep}
              because={to ? undefined : 'Choose a time.'}
            >
              Advance
            </ActionButton>
          </div>
        </Panel>
      </div>
      <Scheduled />
      {reports.value
        .filter((one) => one.namespace === namespace.value)
        .map(({ report }, i) => (
          <Fired key={`${report.now} ${i}`} of={report} />
        ))}
    </>
  )
}

const PAGE = 50

function Scheduled() {
  const list = usePaged(
    'scheduled work',
    pagesOf('due', PAGE, async (page) => {
      const { due, total } = await call('clock', 'due', page)
      const names = due.map(({ at, what, subject }) => `${at} ${what} ${subject}`)
      // The same work may be scheduled twice.
      return { due: due.map((row, i) => ({ ...row, key: `${names[i]} ${i - names.indexOf(names[i]!)}` })), total }
    }),
    ({ key }) => key,
    { everyMs: 1_000 },
  )
  return (
    <Panel title="Scheduled work">
      <PagedTable list={list} noun="items" label="Scheduled work" empty="Nothing is scheduled." columns={WORK} />
    </Panel>
  )
}

type Work = Answer<'clock', 'due'>['due'][number]

const WORK = [
  { title: 'Time', when: ({ at }: Work) => at },
  { title: 'Work', cell: ({ what }: Work) => <span title={what}>{WORK_IN_WORDS[what] ?? what}</span> },
  { title: 'Record', cell: (work: Work) => <Subject of={work} />, class: 'anywhere' },
]

/** The record of scheduled work; a delivery is named by its event. */
const Subject = ({ of: { subject, what } }: { of: Work }) => {
  if (subject.startsWith('dlv_')) return <DeliveryName id={subject} />
  return <SubjectLink of={subject} page={pageOfWork(what, subject)} />
}

function DeliveryName({ id }: { id: string }) {
  const { value, error } = useCall(['events', 'delivery', id], { when: () => false })
  return (
    <>
      <a href={hrefOf({ page: 'webhooks', query: { selected: id } })}>
        {value?.delivery.event ?? (error ? id : UNREAD)}
      </a>
      {value && (
        <span class="note">
          {' '}
          of <SubjectLink of={value.delivery.subject} /> to {value.request?.url ?? 'a removed endpoint'}
        </span>
      )}
    </>
  )
}

/** Rows of a report that are shown at first. */
const SHOWN = 50

function Fired({ of: { now, fired, total } }: { of: Report }) {
  const [most, setMost] = useState(SHOWN)
  return (
    <Panel title={`Work that ran until ${momentOf(now)} (${withCommas(total)})`}>
      <Table
        label={`Work that ran until ${momentOf(now)}`}
        rows={fired.slice(0, most).map((row, i) => ({ ...row, i }))}
        keyOf={({ i }) => i}
        empty="Nothing was scheduled for this time."
        columns={WORK}
      />
      <ShownOf
        shown={Math.min(most, fired.length)}
        total={total}
        noun="items"
        more={fired.length > most ? () => setMost(most + 200) : undefined}
      />
    </Panel>
  )
}
