import { withCommas } from '../../words/number-text.ts'
import { SENT_MESSAGE_STATUSES } from '../../words/statuses.ts'
import { type Answer, call } from '../api/client.ts'
import type { PageAction } from '../api/page-action.ts'
import { pagesOf, usePaged } from '../api/paged.ts'
import { go, hrefOf } from '../api/place.ts'
import { useCall, useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Facts, Id, Json, Loaded, NotShown, PageHead, Panel, RecordLink, Status, When } from '../ui/parts.tsx'
import { PagedTable, ReadPanel, Table } from '../ui/table.tsx'
import { shortId } from '../ui/text.ts'
import { failProvider, pause, resume, run, trigger } from './actions.ts'

type CampaignProgress = Answer<'campaigns', 'status'>

interface Listed {
  campaign_id: string
  name: string
  trigger: string
  status: string
}

export function Campaigns() {
  const world = useCall(['world', 'show'], { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Campaigns">
        <span class="space" />
        <FormButton
          title="Define campaign"
          noun="campaigns"
          verb="define"
          kind="main"
          then={({ campaign_id }: { campaign_id: string }) => go({ page: 'campaigns', id: campaign_id })}
        />
      </PageHead>
      <ReadPanel
        title="All campaigns"
        read={world}
        rows={({ campaigns }) => campaigns as unknown as Listed[]}
        keyOf={({ campaign_id }) => campaign_id}
        empty="No campaigns yet."
        columns={[
          {
            title: 'Name',
            cell: ({ name }) => name,
            to: ({ campaign_id }) => ({ page: 'campaigns', id: campaign_id }),
            class: 'says',
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Progress', cell: ({ campaign_id }) => <Progress id={campaign_id} /> },
          { title: 'Trigger', cell: ({ trigger }) => trigger },
          { title: 'Id', cell: ({ campaign_id }) => <Id of={campaign_id} /> },
        ]}
      />
    </>
  )
}

/** The counts of a campaign in one line. */
function Progress({ id }: { id: string }) {
  const { value } = useCall(['campaigns', 'status', id], { everyMs: 2_000 })
  if (!value) return <span class="none">…</span>
  const { counts } = value
  if (counts.total === 0) return <span class="none">not started</span>
  return (
    <span class="progress">
      <Bar counts={counts} />
      {withCommas(counts.completed)} of {withCommas(counts.total)}
      {counts.failed > 0 && <Status of={`${withCommas(counts.failed)} failed`} tone="bad" />}
    </span>
  )
}

const BACK = ['campaigns', 'Campaigns'] as const

export function OneCampaign({ id }: { id: string }) {
  const progress = useCall(['campaigns', 'status', id], { everyMs: 1_000 })
  const definition = useCall(['campaigns', 'show', id], {
    when: ({ event }) => event.startsWith('campaign.'),
    everyMs: 2_000,
  })
  if (definition.error && !definition.value) return <NotShown title={`Campaign ${id}`} read={definition} back={BACK} />
  return (
    <>
      <PageHead title={definition.value?.name ?? `Campaign ${id}`} back={BACK}>
        {progress.value && <Status of={progress.value.status} />}
        <span class="space" />
        {progress.value && <CampaignActions id={id} progress={progress.value} kind={definition.value?.trigger} />}
      </PageHead>
      <Panel title="Progress">
        <Loaded read={progress}>{(now) => <Counts of={now} id={id} />}</Loaded>
      </Panel>
      <Reasons of={id} />
      <Panel
        title="Definition"
        aside={
          definition.value && (
            <FormButton
              title="Edit definition"
              noun="campaigns"
              verb="define"
              fixed={{ campaign_id: id }}
              initial={definition.value}
              button="Save"
              describe={() => 'Saved.'}
            />
          )
        }
      >
        <Loaded read={definition}>{(defined) => <Json of={defined} label="Definition of the campaign" wraps />}</Loaded>
      </Panel>
      <Contacts of={id} />
    </>
  )
}

type RunContact = Answer<'campaigns', 'contacts'>['contacts'][number]

/** Why contacts of the last run did not complete it. */
function Reasons({ of: id }: { of: string }) {
  const { value } = useCall(['campaigns', 'contacts', id, { limit: 1 }], { everyMs: 2_000 })
  if (!value || value.reasons.length === 0) return null
  return (
    <Panel title="Why contacts are ineligible or failed">
      <Table
        label="Reasons"
        rows={value.reasons}
        keyOf={({ status, reason }) => `${status} ${reason}`}
        columns={[
          { title: 'Contacts', number: ({ contacts }) => withCommas(contacts) },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Reason', cell: ({ reason }) => <code>{reason}</code> },
          { title: 'Meaning', cell: ({ says }) => says, class: 'says' },
        ]}
      />
    </Panel>
  )
}

function Contacts({ of: id }: { of: string }) {
  const list = usePaged<RunContact>(
    `contacts of ${id}`,
    pagesOf('contacts', 100, (page) => call('campaigns', 'contacts', id, page)),
    ({ contact_id }) => contact_id,
    { everyMs: 2_000 },
  )
  return (
    <Panel title="Contacts">
      <PagedTable
        list={list}
        noun="contacts"
        label="Contacts of the run"
        empty="No contacts yet. Each run begins with the contacts of its audience."
        columns={[
          {
            title: 'Contact',
            cell: ({ contact_id, phone, email, external_id }) => phone ?? email ?? external_id ?? shortId(contact_id),
            to: ({ contact_id }) => ({ page: 'contacts', id: contact_id }),
          },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
          { title: 'Path', cell: ({ path }) => path.join(', ') || '–' },
          {
            title: 'Messages',
            cell: ({ sends }) => (
              <span class="choices wrap">
                {sends.map(({ node, message_id }) => (
                  <RecordLink key={node} id={message_id} />
                ))}
              </span>
            ),
          },
        ]}
      />
    </Panel>
  )
}

/** The actions of each state (interface §3.4). */
function CampaignActions({
  id,
  progress: { status },
  kind,
}: {
  id: string
  progress: CampaignProgress
  kind: string | undefined
}) {
  const isRunning = status === 'RUNNING'
  const isPaused = status.startsWith('PAUSED')
  const starts: PageAction = kind === 'MANUAL' ? run(id) : trigger(id)
  const whyNotStarted = isRunning
    ? 'The campaign is already running.'
    : isPaused
      ? 'The campaign is paused. Resume it.'
      : kind === 'API' || kind === 'MANUAL'
        ? undefined
        : `The trigger is ${kind}, so the campaign starts by itself.`
  return (
    <span class="choices">
      <ActionButton act={starts} kind="main" because={whyNotStarted}>
        Start
      </ActionButton>
      <ActionButton
        act={pause(id)}
        because={isRunning ? undefined : `The campaign is ${status}. Only a running campaign can be paused.`}
      >
        Pause
      </ActionButton>
      <ActionButton
        act={resume(id)}
        because={isPaused ? undefined : `The campaign is ${status}. Only a paused campaign can be resumed.`}
      >
        Resume
      </ActionButton>
      <ActionButton
        act={failProvider(id)}
        because={isRunning ? undefined : `The campaign is ${status}. Only a running campaign can fail.`}
      >
        Simulate provider failure
      </ActionButton>
    </span>
  )
}

const PARTS = ['completed', 'in_progress', 'pending', 'failed', 'ineligible'] as const

const Bar = ({ counts }: { counts: CampaignProgress['counts'] }) => (
  <span class="bar" role="img" aria-label={PARTS.map((part) => `${counts[part]} ${part}`).join(', ')}>
    {PARTS.map((part) => counts[part] > 0 && <span key={part} class={part} style={{ flexGrow: counts[part] }} />)}
  </span>
)

function Counts({
  of: { counts, run_id, started_at, completed_at, pause_reason },
  id,
}: {
  of: CampaignProgress
  id: string
}) {
  const { total } = counts
  return (
    <>
      <Bar counts={counts} />
      <ul class="tiles">
        {(['total', ...PARTS] as const).map((part) => (
          <li key={part} class={part}>
            <span class="figure">{withCommas(counts[part])}</span> {part.replace('_', ' ')}
          </li>
        ))}
      </ul>
      <Facts
        of={[
          ['Run', run_id && <code>{run_id}</code>],
          ['Started', <When at={started_at} />],
          ['Completed', <When at={completed_at} />],
          ['Pause reason', pause_reason],
          ['Messages', total > 0 ? <Messages of={id} contacts={total} /> : 'none yet'],
        ]}
      />
    </>
  )
}

/** Messages of larger campaigns are counted once: others wait while the sandbox counts. */
const MOST_COUNTED = 20_000

/** The messages by status. A contact has completed the campaign even if its message failed. */
function Messages({ of: campaign_id, contacts }: { of: string; contacts: number }) {
  const { value = [] } = useRead(
    `messages of ${campaign_id}`,
    () =>
      Promise.all(
        SENT_MESSAGE_STATUSES.map(async (status) => {
          const { total } = await call('messages', 'search', { campaign_id, status, limit: 1 })
          return { status, total }
        }),
      ),
    { when: () => false, ...(contacts <= MOST_COUNTED && { everyMs: 2_000 }) },
  )
  return (
    <span class="choices wrap">
      <a href={hrefOf({ page: 'messages', query: { campaign_id } })}>Show messages</a>
      {value.map(
        ({ status, total }) =>
          total > 0 && (
            <a key={status} href={hrefOf({ page: 'messages', query: { campaign_id, status } })}>
              {withCommas(total)} {status}
            </a>
          ),
      )}
    </span>
  )
}
