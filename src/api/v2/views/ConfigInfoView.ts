import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CellView, toCellView } from './CellView.ts'
import { typeName } from './scalars.ts'

export const ConfigInfoView = Type.Object(
  { '@type': typeName('configInfo'), config: CellView },
  { $id: 'ConfigInfo', description: 'A part of the configuration.' },
)

export const toConfigInfoView = (config: Cell | undefined): Static<typeof ConfigInfoView> => ({
  '@type': 'configInfo',
  config: toCellView(config),
})
