/** SQL: half of the hash of what the chain says of a token, by which a change is noticed. Null where the content is null. */
export const contentHash = (content: string): string => `substr(sha256(convert_to((${content})::text, 'UTF8')), 1, 16)`
