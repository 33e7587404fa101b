import { answerConfig } from '../configProof.ts'
import type { LiteFunction } from '../LiteFunction.ts'

/** All parameters of the network. */
export const getConfigAll: LiteFunction<'liteServer.getConfigAll'> = ({ store }, { mode, id }) =>
  answerConfig(store, { mode, id, paramList: undefined })
