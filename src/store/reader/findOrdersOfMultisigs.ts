import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'
import { type MultisigOrder, orderColumns, toMultisigOrder } from './listMultisigOrders.ts'

export const ordersOfMultisigsQuery = (multisigs: readonly Uint8Array[]) =>
  queryBuilder
    .selectFrom('multisig_orders')
    .select(orderColumns)
    .where(isAnyOf('multisig_address', multisigs))
    .orderBy('since_lt')
    .orderBy('address')

/** All orders of these multisigs, as they were discovered. */
export const findOrdersOfMultisigs = async (
  reader: Reader,
  multisigs: readonly Uint8Array[],
): Promise<MultisigOrder[]> => {
  if (multisigs.length === 0) return []
  const rows = await reader.read(ordersOfMultisigsQuery(multisigs).compile())
  return rows.map(toMultisigOrder)
}
