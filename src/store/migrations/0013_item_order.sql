-- Items of an owner in their whole order. By an index without the address, servers of version 15 would rather read and sort all items
-- that the owner has than sort by address those with the same number.
DROP INDEX nft_items_by_owner;
CREATE INDEX nft_items_by_owner ON nft_items (owner_address, collection_address, index, address);
