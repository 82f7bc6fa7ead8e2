import { place } from '../api/place.ts'
import { Inbox } from './list.tsx'
import { OneMessage } from './one.tsx'

export function MessagesPage() {
  const { id } = place.value
  return id === undefined ? <Inbox /> : <OneMessage id={id} key={id} />
}
