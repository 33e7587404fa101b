// Table of constants: comments, jettons, NFTs and what goes with them.
export const tokens = `
bounce#ffffffff payload:Cell
text_comment#00000000 text:SnakeString
text_comment#00000000 text:^SnakeString
encrypted_text_comment#2167da4b cipher_text:Bytes
encrypted_text_comment_forward_payload#2167da4b cipher_text:Bytes
excess#d53276db query_id:uint64
top_up#d372158c query_id:uint64
credit#1690c604 query_id:uint64 amount:Coins
approve#7b4b42e6 query_id:uint64
disapprove#e8a0abfe query_id:uint64

// Jettons
jetton_transfer#0f8a7ea5 query_id:uint64 amount:VarUint16 destination:MsgAddress response_destination:MsgAddress
  custom_payload:MaybeCell forward_ton_amount:VarUint16 forward_payload:EitherCell
jetton_internal_transfer#178d4519 query_id:uint64 amount:VarUint16 from:MsgAddress response_address:MsgAddress
  forward_ton_amount:VarUint16 forward_payload:EitherCell
// Some senders leave out the bit before the payload.
jetton_internal_transfer#178d4519 query_id:uint64 amount:VarUint16 from:MsgAddress response_address:MsgAddress
  forward_ton_amount:VarUint16 forward_payload:Any
jetton_burn#595f07bc query_id:uint64 amount:VarUint16 response_destination:MsgAddress custom_payload:MaybeCell
jetton_burn_notification#7bdd97de query_id:uint64 amount:VarUint16 sender:MsgAddress response_destination:MsgAddress
jetton_notify#7362d09c query_id:uint64 amount:VarUint16 sender:MsgAddress forward_payload:EitherCell
jetton_set_status#eed236d3 query_id:uint64 status:uint4
jetton_mint#642b7d07 query_id:uint64 to_address:MsgAddressInt ton_amount:Coins
minter_jetton_mint#00000015 query_id:uint64 to_address:MsgAddress ton_amount:Coins master_msg:^Cell
jetton_change_admin#6501f354 query_id:uint64 new_admin_address:MsgAddress
scaled_ui_display_multiplier_changed#ac392598 numerator:(VarUInteger 32) denominator:(VarUInteger 32)
  comment:(Maybe SnakeString)
lock_and_claim#3a86f1a0 query_id:uint64 proof:MaybeCell

// NFTs and SBTs
nft_transfer#5fcc3d14 query_id:uint64 new_owner:MsgAddress response_destination:MsgAddress custom_payload:MaybeCell
  forward_amount:VarUint16 forward_payload:EitherCell
nft_ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress forward_payload:EitherCell
get_static_data#2fcb26a2 query_id:uint64
report_static_data#8b771735 query_id:uint64 index:uint256 collection:MsgAddress
get_royalty_params#693d3950 query_id:uint64
report_royalty_params#a8cb00ad query_id:uint64 numerator:uint16 denominator:uint16 destination:MsgAddress
prove_ownership#04ded148 query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool
ownership_proof#0524c7ae query_id:uint64 item_id:uint256 owner:MsgAddress data:^Cell revoked_at:uint64 content:MaybeCell
sbt_request_owner#d0c3bfea query_id:uint64 dest:MsgAddress forward_payload:^Cell with_content:Bool
sbt_owner_info#0dd607e3 query_id:uint64 item_id:uint256 initiator:MsgAddress owner:MsgAddress data:^Cell
  revoked_at:uint64 content:MaybeCell
sbt_destroy#1f04537a query_id:uint64
sbt_revoke#6f89f5e3 query_id:uint64
sale_update_message#6c6c2080 query_id:uint64 new_full_price:Coins new_mp_fee:Coins new_royalty_amount:Coins
nerd_qr_verify#ccc2c823 item_id:uint32 signature:bits512

// Proof of work givers, invoices, Bitcoin
gram_submit_proof_of_work#4d696e65 flags:uint8 expire:uint32 whom:bits256 rdata1:bits256 rseed:uint128 rdata2:bits256
none#00 = PaymentProviderUrl
tonsite#01 address:bits256 = PaymentProviderUrl
invoice_payload#7aa23eb5 id:bits128 url:PaymentProviderUrl
invoice_payload_forward_payload#7aa23eb5 id:bits128 url:PaymentProviderUrl
tgbtc_mint_event#77a80ef3 amount:Coins recipient_address:MsgAddress bitcoin_txid:uint256
tgbtc_burn_event#ca444ce6 amount:Coins sender_address:MsgAddress pegout_address:MsgAddress
tgbtc_new_key_event#27756729 amount:Coins new_internal_pubkey:uint256 pegout_address:MsgAddress
tgbtc_dkg_completed_event#453443a6 timestamp:uint64 internal_pubkey:uint256
`
