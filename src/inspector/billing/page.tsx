import { useState } from 'preact/hooks'
import { call } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Loaded, MessageLink, PageHead, Panel, Table, When } from '../ui/parts.tsx'
import { count, euros } from '../ui/text.ts'
import { topUp } from './actions.ts'
import { Chart } from './chart.tsx'

const LEDGER_MS = 2_000

export function BillingPage() {
  const balance = useRead('balance', () => call('billing', 'balance'), { everyMs: LEDGER_MS })
  const ledger = useRead('ledger', () => call('billing', 'transactions', { limit: 200 }), { everyMs: LEDGER_MS })
  const usage = useRead('usage', () => call('billing', 'usage'), { everyMs: LEDGER_MS })
  const tier = useRead('tier', () => call('billing', 'tier'), { everyMs: LEDGER_MS })
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
              because={Number(amount) > 0 ? undefined : 'Say how much.'}
              says={() => `${euros(Number(amount))} added.`}
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
        {ledger.value && <Chart of={ledger.value.data} />}
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
        <Loaded read={ledger}>
          {({ data }) => (
            <Table
              label="Ledger"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Time', cell: ({ created_at }) => <When at={created_at} full />, class: 'nowrap' },
                { title: 'Movement', cell: ({ type }) => type },
                { title: 'Amount', cell: ({ amount }) => euros(amount), class: 'number' },
                { title: 'Free after', cell: ({ free_after }) => euros(free_after), class: 'number' },
                { title: 'Reserved after', cell: ({ reserved_after }) => euros(reserved_after), class: 'number' },
                { title: 'Message', cell: ({ message_id }) => (message_id ? <MessageLink id={message_id} /> : '–') },
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}
