import { type Answer, call } from '../api/client.ts'
import type { PageAction } from '../api/page-action.ts'
import { hrefOf, place } from '../api/place.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Facts, Json, Loaded, PageHead, Panel, Status, Table, When } from '../ui/parts.tsx'
import { count } from '../ui/text.ts'
import { breakDown, pause, resume, run, trigger } from './actions.ts'

type CampaignProgress = Answer<'campaigns', 'status'>

export function CampaignsPage() {
  const { id } = place.value
  return id === undefined ? <Campaigns /> : <OneCampaign id={id} key={id} />
}

interface Known {
  campaign_id: string
  name: string
  trigger: string
  status: string
}

function Campaigns() {
  const world = useRead('campaigns', () => call('world', 'show'), { everyMs: 2_000 })
  return (
    <>
      <PageHead title="Campaigns" />
      <Panel title="Campaigns of this world">
        <Loaded read={world}>
          {({ campaigns }) => (
            <Table
              label="Campaigns"
              rows={campaigns as unknown as Known[]}
              keyOf={({ campaign_id }) => campaign_id}
              empty="This world has no campaign."
              columns={[
                {
                  title: 'Name',
                  cell: ({ campaign_id, name }) => <a href={hrefOf({ page: 'campaigns', id: campaign_id })}>{name}</a>,
                },
                { title: 'Status', cell: ({ status }) => <Status of={status} /> },
                { title: 'Trigger', cell: ({ trigger }) => trigger },
                { title: 'Id', cell: ({ campaign_id }) => <code>{campaign_id}</code> },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function OneCampaign({ id }: { id: string }) {
  const progress = useRead(`campaign ${id}`, () => call('campaigns', 'status', id), { everyMs: 1_000 })
  const definition = useRead(`definition ${id}`, () => call('campaigns', 'show', id), { when: () => false })
  return (
    <>
      <header class="page-head">
        <a href={hrefOf({ page: 'campaigns' })}>← Campaigns</a>
        <h1>{definition.value?.name ?? id}</h1>
        {progress.value && <Status of={progress.value.status} />}
        <span class="space" />
        {progress.value && <CampaignActions id={id} progress={progress.value} kind={definition.value?.trigger} />}
      </header>
      <Panel title="Where it stands">
        <Loaded read={progress}>{(now) => <Counts of={now} id={id} />}</Loaded>
      </Panel>
      <Panel title="Definition">
        <Loaded read={definition}>{(defined) => <Json of={defined} label="Definition of the campaign" />}</Loaded>
      </Panel>
    </>
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
    ? 'It is running already.'
    : isPaused
      ? 'It is paused; resume it.'
      : kind === 'API' || kind === 'MANUAL'
        ? undefined
        : `Its trigger is ${kind}; it starts by itself.`
  return (
    <span class="choices">
      <ActionButton act={starts} kind="main" because={whyNotStarted}>
        Start
      </ActionButton>
      <ActionButton
        act={pause(id)}
        because={isRunning ? undefined : `It is ${status}; only a running one can be paused.`}
      >
        Pause
      </ActionButton>
      <ActionButton
        act={resume(id)}
        because={isPaused ? undefined : `It is ${status}; only a paused one can be resumed.`}
      >
        Resume
      </ActionButton>
      <ActionButton
        act={breakDown(id)}
        because={isRunning ? undefined : `It is ${status}; only a running one can fail.`}
      >
        Let its provider fail
      </ActionButton>
    </span>
  )
}

const PARTS = ['completed', 'in_progress', 'pending', 'failed', 'ineligible'] as const

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
      <div class="bar" role="img" aria-label={PARTS.map((part) => `${counts[part]} ${part}`).join(', ')}>
        {PARTS.map((part) => counts[part] > 0 && <span key={part} class={part} style={{ flexGrow: counts[part] }} />)}
      </div>
      <ul class="tiles">
        {(['total', ...PARTS] as const).map((part) => (
          <li key={part} class={part}>
            <span class="figure">{count(counts[part])}</span> {part.replace('_', ' ')}
          </li>
        ))}
      </ul>
      <Facts
        of={[
          ['Run', run_id && <code>{run_id}</code>],
          ['Started', <When at={started_at} full />],
          ['Completed', <When at={completed_at} full />],
          ['Paused for', pause_reason],
          [
            'Messages',
            <a href={hrefOf({ page: 'messages', query: { campaign_id: id } })}>
              {total > 0 ? 'those of this campaign' : 'none yet'}
            </a>,
          ],
        ]}
      />
    </>
  )
}
