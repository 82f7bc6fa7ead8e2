import type { Overlay } from '../overlay.ts'

export const world: Record<string, Overlay> = {
  'world.dump': {
    examples: ['sandbox world dump > my-world.yaml', 'sandbox start --world my-world.yaml --data .my-world'],
  },
}
