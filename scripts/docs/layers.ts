import { LAYERS } from '../../.dependency-cruiser.ts'
import { code, table } from './table.ts'

/** Lists the layers of src from the highest to the lowest, as the dependency rules order them. */
export const layerTable = () =>
  table(
    ['', 'Folder', 'What it contains'],
    LAYERS.toReversed().flatMap((row, i) =>
      Object.entries(row).map(([name, content]) => [String(LAYERS.length - i), code(`${name}/`), content]),
    ),
  )
