import type { V3Context } from '../V3Context.ts'
import type { AddressBook } from '../views/AddressBookView.ts'
import type { Metadata } from '../views/MetadataView.ts'
import { readAddressBook } from './readAddressBook.ts'
import { readMetadata } from './readMetadata.ts'

/** What stands beside the rows of a page: all of it is asked at once, and nothing that the caller does without. */
export const hydrate = async (
  context: V3Context,
  addresses: Iterable<Uint8Array>,
): Promise<{ address_book: AddressBook; metadata: Metadata }> => {
  const all = [...addresses]
  const [address_book, metadata] = await Promise.all([
    context.options.withAddressBook ? readAddressBook(context, all) : {},
    context.options.withMetadata ? readMetadata(context, all) : {},
  ])
  return { address_book, metadata }
}

/** As {@link hydrate}, where an answer has no metadata. */
export const hydrateAddressBook = async (
  context: V3Context,
  addresses: Iterable<Uint8Array>,
): Promise<{ address_book: AddressBook }> => ({
  address_book: context.options.withAddressBook ? await readAddressBook(context, addresses) : {},
})
