import { answerConfig } from '../configProof.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'

const MAX_PARAMS = 256

/** Some parameters of the network; those that do not exist are proven to be missing. */
export const getConfigParams: LiteFunction<'liteServer.getConfigParams'> = ({ store }, { mode, id, paramList }) => {
  if (paramList.length > MAX_PARAMS) throw new LiteRefusal(REQUEST_ERROR, 'too long param list')
  return answerConfig(store, { mode, id, paramList })
}
