import { useState } from 'preact/hooks'
import { withCommas } from '../../words/number-text.ts'
import type { MovementAnswer } from '../api/answers.ts'
import { type Answer, answerTo, call } from '../api/client.ts'
import { cursorPagesOf, usePaged } from '../api/paged.ts'
import { useCall } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { FormButton } from '../ui/form-button.tsx'
import { Loaded, PageHead, Panel, RecordLink, Refusal } from '../ui/parts.tsx'
import { PagedTable, ReadPanel } from '../ui/table.tsx'
import { channelName, euros } from '../ui/text.ts'
import { topUp } from './actions.ts'
import { Chart } from './chart.tsx'
import { OpenHolds } from './holds.tsx'

const LEDGER_MS = 2_000
const PAGE = 100

type Invoice = Answer<'billing', 'invoices'>['data'][number]

const saved = () => 'Saved.'

/** The sign of each movement for the free balance. */
const SIGNS: Readonly<Record<string, string>> = { hold: '−', charge: '', release: '+', topup: '+', opening: '+' }

export function BillingPage() {
  const balance = useCall(['billing', 'balance'], { everyMs: LEDGER_MS })
  const history = useCall(['billing', 'history'], { everyMs: 5_000 })
  const usage = useCall(['billing', 'usage'], { everyMs: LEDGER_MS })
  const tier = useCall(['billing', 'tier'], { everyMs: LEDGER_MS })
  const ledger = usePaged<MovementAnswer>(
    'ledger',
    cursorPagesOf((cursor) => call('billing', 'transactions', { limit: PAGE, ...cursor })),
    ({ id }) => id,
    { everyMs: LEDGER_MS, isLog: true },
  )
  const [amount, setAmount] = useState('50')
  return (
    <>
      <PageHead title="Billing">
        <span class="space" />
        <FormButton title="Set balance" noun="billing" verb="setBalance" describe={saved} kind="" />
        <FormButton title="Auto-reload" noun="billing" verb="setAutoReload" button="Save" describe={saved} kind="" />
        <FormButton title="Low-balance alert" noun="billing" verb="setAlerts" button="Save" describe={saved} kind="" />
      </PageHead>
      <Panel
        title="Balance"
        aside={
          <span class="choices">
            <input
              class="short"
              aria-label="Amount in euros"
              value={amount}
              inputMode="decimal"
              onInput={({ currentTarget }) => setAmount(currentTarget.value)}
            />
            <ActionButton
              act={topUp(Number(amount) > 0 ? Number(amount) : 50)}
              because={Number(amount) > 0 ? undefined : 'Enter an amount.'}
              describe={() => `Added ${euros(Number(amount))}.`}
            >
              Top up
            </ActionButton>
          </span>
        }
      >
        <Loaded read={balance}>
          {({ free, reserved, total }) => (
            <ul class="tiles">
              {Object.entries({ free, reserved, total }).map(([part, amount]) => (
                <li key={part}>
                  <span class="figure">{euros(amount)}</span> {part}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {history.value && <Chart of={history.value} />}
      </Panel>
      <OpenHolds />
      <div class="columns">
        <ReadPanel
          title="Usage this month"
          read={usage}
          empty="No messages this month yet."
          rows={({ usage: rows }) => rows}
          keyOf={({ channel, message_type }) => `${channel} ${message_type}`}
          columns={[
            { title: 'Channel', cell: ({ channel }) => channelName(channel) },
            { title: 'Billed as', cell: ({ message_type }) => message_type },
            { title: 'Messages', number: ({ messages }) => withCommas(messages) },
            { title: 'Charged', number: ({ charged_amount }) => euros(charged_amount) },
          ]}
        />
        <ReadPanel
          title="Tiers"
          read={tier}
          rows={({ tiers }) => tiers}
          keyOf={({ channel }) => channel}
          columns={[
            { title: 'Channel', cell: ({ channel }) => channelName(channel) },
            { title: 'Tier', cell: ({ current }) => current },
            { title: 'Messages', number: ({ volume_used }) => withCommas(volume_used) },
            { title: 'Discount', number: ({ discount_percent }) => `${discount_percent} %` },
            {
              title: 'Next from',
              number: ({ next_tier_at }) => (next_tier_at === null ? '–' : withCommas(next_tier_at)),
            },
          ]}
        />
      </div>
      <Panel title="Ledger, newest first">
        <PagedTable
          list={{ ...ledger, total: history.value?.total }}
          noun="movements"
          label="Ledger"
          columns={[
            { title: 'Time', when: ({ created_at }) => created_at },
            { title: 'Movement', cell: ({ type }) => <span class={`movement ${type}`}>{type}</span> },
            {
              title: 'Amount',
              number: ({ type, amount }) => `${SIGNS[type] ?? (amount > 0 ? '+' : '')}${euros(amount)}`,
            },
            { title: 'Free after', number: ({ free_after }) => euros(free_after) },
            { title: 'Reserved after', number: ({ reserved_after }) => euros(reserved_after) },
            { title: 'Message', cell: ({ message_id }) => <RecordLink id={message_id} /> },
          ]}
        />
      </Panel>
      <Invoices />
    </>
  )
}

function Invoices() {
  const list = usePaged<Invoice>(
    'invoices',
    // More than a lifetime of months: the list is read to its end at once.
    cursorPagesOf((cursor) => call('billing', 'invoices', { limit: 200, ...cursor })),
    ({ id }) => id,
  )
  return (
    <Panel title="Invoices">
      <PagedTable
        list={list}
        noun="invoices"
        empty="No invoices yet. Each month with charges gets one when it ends."
        columns={[
          { title: 'Number', cell: ({ number }) => number },
          { title: 'Issued', when: ({ issued_at }) => issued_at },
          { title: 'Lines', number: ({ lines }) => lines.length },
          { title: 'Net', number: ({ net_amount }) => euros(net_amount) },
          { title: 'VAT', number: ({ vat_amount }) => euros(vat_amount) },
          { title: 'Total', number: ({ total_amount }) => euros(total_amount) },
          { title: 'PDF', cell: ({ id, number }) => <PdfButton id={id} number={number} /> },
        ]}
      />
    </Panel>
  )
}

/** Saves the PDF of an invoice; a link could not send the key. */
function PdfButton({ id, number }: { id: string; number: string }) {
  const [refusal, setRefusal] = useState<string>()
  const save = async () => {
    const answer = await answerTo({ method: 'GET', path: `/v1/billing/invoices/${id}/pdf`, body: undefined })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await answer.blob())
    link.download = `${number}.pdf`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`Download ${number} as PDF`}
        onClick={() =>
          save().then(
            () => setRefusal(undefined),
            (error: Error) => setRefusal(error.message),
          )
        }
      >
        PDF
      </button>
      {refusal && <Refusal>{refusal}</Refusal>}
    </>
  )
}
