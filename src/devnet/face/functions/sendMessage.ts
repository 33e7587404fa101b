import type { LiteFunction } from '../LiteFunction.ts'

/** Hands an external message to the network. That it was taken does not mean that it will be in a block. */
export const sendMessage: LiteFunction<'liteServer.sendMessage'> = async (context, { body }) => {
  await context.sendMessage(body)
  return { status: 1 }
}
