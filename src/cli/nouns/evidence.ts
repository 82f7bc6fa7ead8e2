import type { NounCommands } from '../generate/noun.ts'

export const commands: NounCommands<'evidence'> = {
  group: 'watching',
  verbs: {
    show: {
      forPeople: ({ lines }, paint) =>
        lines.length === 0 ? paint.dim('Nothing went wrong in this world.') : lines.join('\n'),
    },
    page: { examples: ['sandbox evidence page --title "An order is confirmed" > page.html'] },
  },
}
