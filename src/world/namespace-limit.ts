import { problem } from '../words/problem.ts'

/** Refuses another namespace where there are as many as allowed. */
export function refuseOneMore(count: number, most: number) {
  if (count < most) return
  throw problem(
    'too_many_namespaces',
    `There are ${most} namespaces, which is the limit. Delete one (namespaces delete <name>, with the key of another), or start with --max-namespaces.`,
    { max_namespaces: most },
  )
}
