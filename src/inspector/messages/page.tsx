import { place } from '../api/place.ts'
import { MessageList } from './list.tsx'
import { OneMessage } from './one.tsx'

export function MessagesPage() {
  const { id } = place.value
  return id === undefined ? <MessageList /> : <OneMessage id={id} key={id} />
}
