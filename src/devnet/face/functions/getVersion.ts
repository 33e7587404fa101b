import type { LiteFunction } from '../LiteFunction.ts'
import { serverVersion } from '../serverVersion.ts'

export const getVersion: LiteFunction<'liteServer.getVersion'> = (context) => ({
  mode: 0,
  ...serverVersion,
  now: context.now(),
})
