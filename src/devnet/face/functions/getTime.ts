import type { LiteFunction } from '../LiteFunction.ts'

export const getTime: LiteFunction<'liteServer.getTime'> = (context) => ({ now: context.now() })
