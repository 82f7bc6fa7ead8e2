import express from 'express'

// The baseline of a send: the same JSON parsed, a constant of the same size answered.
const answer = {
  message_id: 'msg_00000000-0000-4000-8000-000000000001',
  status: 'queued',
  created_at: '2026-01-01T00:00:00.000Z',
  billing: {
    channel: 'RCS',
    message_type: 'basic_message',
    hold_amount: 0.05,
    message_price: 0.05,
    balance: { free: 999_999.95, reserved: 0.05, total: 1_000_000 },
    tier: { channel: 'RCS', current: 'tier_1', volume_used: 1 },
  },
}

const app = express()
app.post('/v1/messages', express.json(), (_req, res) => void res.json(answer))
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ ready: true, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` })),
)
process.on('SIGTERM', () => process.exit(0))
