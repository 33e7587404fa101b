/** Tells that blocks were indexed, with the first and the last of them: `120-127`. */
export const indexedChannel = 'chaincenter_indexed'
