import type { Message } from '../api/answers.ts'
import { gist } from '../ui/text.ts'

export const Preview = ({ of: { content } }: { of: Message }) => <p dir="auto">{gist(content)}</p>
