import { useState } from 'preact/hooks'
import { type Answer, call, headersOf } from '../api/client.ts'
import { cursorPagesOf, usePaged } from '../api/paged.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { ContractForm } from '../ui/contract-form.tsx'
import { Loaded, MessageLink, PagedTable, PageHead, Panel, Table, When } from '../ui/parts.tsx'
import { count, euros } from '../ui/text.ts'
import { topUp } from './actions.ts'
import { Chart } from './chart.tsx'

const LEDGER_MS = 2_000
const PAGE = 100

type Movement = Answer<'billing', 'transactions'>['data'][number]
type Invoice = Answer<'billing', 'invoices'>['data'][number]

/** The sign of each movement for the free balance. */
const SIGNS: Readonly<Record<string, string>> = { hold: '−', charge: '', release: '+', topup: '+', opening: '+' }

export function BillingPage() {
  const balance = useRead('balance', () => call('billing', 'balance'), { everyMs: LEDGER_MS })
  const history = useRead('balance history', () => call('billing', 'history'), { everyMs: 5_000 })
  const usage = useRead('usage', () => call('billing', 'usage'), { everyMs: LEDGER_MS })
  const tier = useRead('tier', () => call('billing', 'tier'), { everyMs: LEDGER_MS })
  const ledger = usePaged<Movement>(
    'ledger',
    cursorPagesOf((cursor) => call('billing', 'transactions', { limit: PAGE, ...cursor })),
    ({ id }) => id,
    { everyMs: LEDGER_MS },
  )
  const [amount, setAmount] = useState('50')
  return (
    <>
      <PageHead title="Billing" />
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
              act={topUp(Number(amount))}
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
              <li>
                <span class="figure">{euros(free)}</span> free
              </li>
              <li>
                <span class="figure">{euros(reserved)}</span> reserved
              </li>
              <li>
                <span class="figure">{euros(total)}</span> total
              </li>
            </ul>
          )}
        </Loaded>
        {history.value && <Chart of={history.value} />}
      </Panel>
      <div class="columns even">
        <Panel title="Usage of this month">
          <Loaded read={usage}>
            {({ usage: rows }) => (
              <Table
                label="Usage"
                rows={rows}
                keyOf={({ channel, message_type }) => `${channel} ${message_type}`}
                columns={[
                  { title: 'Channel', cell: ({ channel }) => channel },
                  { title: 'Billed as', cell: ({ message_type }) => message_type },
                  { title: 'Messages', cell: ({ messages }) => count(messages), class: 'number' },
                  { title: 'Charged', cell: ({ charged_amount }) => euros(charged_amount), class: 'number' },
                ]}
              />
            )}
          </Loaded>
        </Panel>
        <Panel title="Tiers">
          <Loaded read={tier}>
            {({ tiers }) => (
              <Table
                label="Tiers"
                rows={tiers}
                keyOf={({ channel }) => channel}
                columns={[
                  { title: 'Channel', cell: ({ channel }) => channel },
                  { title: 'Tier', cell: ({ current }) => current },
                  { title: 'Messages', cell: ({ volume_used }) => count(volume_used), class: 'number' },
                  { title: 'Discount', cell: ({ discount_percent }) => `${discount_percent} %`, class: 'number' },
                  {
                    title: 'Next from',
                    cell: ({ next_tier_at }) => (next_tier_at === null ? '–' : count(next_tier_at)),
                    class: 'number',
                  },
                ]}
              />
            )}
          </Loaded>
        </Panel>
      </div>
      <Panel title="Ledger, newest first">
        <PagedTable
          list={{ ...ledger, total: history.value?.total }}
          noun="movements"
          label="Ledger"
          keyOf={({ id }) => id}
          columns={[
            { title: 'Time', cell: ({ created_at }) => <When at={created_at} full />, class: 'nowrap' },
            { title: 'Movement', cell: ({ type }) => <span class={`movement ${type}`}>{type}</span> },
            { title: 'Amount', cell: ({ type, amount }) => `${SIGNS[type] ?? ''}${euros(amount)}`, class: 'number' },
            { title: 'Free after', cell: ({ free_after }) => euros(free_after), class: 'number' },
            { title: 'Reserved after', cell: ({ reserved_after }) => euros(reserved_after), class: 'number' },
            { title: 'Message', cell: ({ message_id }) => (message_id ? <MessageLink id={message_id} /> : '–') },
          ]}
        />
      </Panel>
      <Invoices />
      <div class="columns even">
        <Panel title="Auto-reload">
          <ContractForm noun="billing" verb="setAutoReload" button="Save" describe={() => 'Saved.'} />
        </Panel>
        <Panel title="Low-balance alert">
          <ContractForm noun="billing" verb="setAlerts" button="Save" describe={() => 'Saved.'} />
        </Panel>
      </div>
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
        label="Invoices"
        keyOf={({ id }) => id}
        empty="No invoices yet. Each month with charges gets one when it ends."
        columns={[
          { title: 'Number', cell: ({ number }) => number },
          { title: 'Issued', cell: ({ issued_at }) => <When at={issued_at} full />, class: 'nowrap' },
          { title: 'Lines', cell: ({ lines }) => lines.length, class: 'number' },
          { title: 'Net', cell: ({ net_amount }) => euros(net_amount), class: 'number' },
          { title: 'VAT', cell: ({ vat_amount }) => euros(vat_amount), class: 'number' },
          { title: 'Total', cell: ({ total_amount }) => euros(total_amount), class: 'number' },
          { title: 'PDF', cell: ({ id, number }) => <PdfButton id={id} number={number} /> },
        ]}
      />
    </Panel>
  )
}

/** Saves the PDF of an invoice; a link could not send the key. */
const PdfButton = ({ id, number }: { id: string; number: string }) => (
  <button
    type="button"
    class="button small"
    aria-label={`Download ${number} as PDF`}
    onClick={async () => {
      const answer = await fetch(`/v1/billing/invoices/${id}/pdf`, { headers: headersOf('GET') })
      if (!answer.ok) return
      const link = document.createElement('a')
      link.href = URL.createObjectURL(await answer.blob())
      link.download = `${number}.pdf`
      link.click()
      URL.revokeObjectURL(link.href)
    }}
  >
    PDF
  </button>
)
