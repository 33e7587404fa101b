import { crc16OfText } from '../../primitives/crc16.ts'

/** The functions that the network itself calls, by the numbers it knows them by. */
export const specialMethodIds: ReadonlyMap<string, number> = new Map([
  ['main', 0],
  ['recv_internal', 0],
  ['recv_external', -1],
  ['run_ticktock', -2],
  ['split_prepare', -3],
  ['split_install', -4],
])

/** The id under which a contract keeps the get-method of this name. */
export const getMethodId = (name: string): number => crc16OfText(name) | 0x10000

/** The id of any named function of a contract, special or not. */
export const functionId = (name: string): number => specialMethodIds.get(name) ?? getMethodId(name)
