import { ParseError } from '../../primitives/errors.ts'
import { readAddressKey, requiredList, textListParam } from './params.ts'

/** Addresses in the spelling of the caller, who gets them back in it. A comma is part of one. */
export const AddressTextsParam = requiredList(
  textListParam('Addresses in any form.', 1024),
  'at least 1 address required',
)

/** The key of an address; `undefined` where the text is none. */
export const findAddressKey = (text: string): Uint8Array | undefined => {
  try {
    return readAddressKey(text)
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}
