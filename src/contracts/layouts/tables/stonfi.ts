// Table of constants: STON.fi v1 and v2, proxy TON.
export const stonfi = `
swap_addresses from_user:MsgAddress = StonfiSwapAddresses
stonfi_swap#25938561 query_id:uint64 to_address:MsgAddress sender_address:MsgAddress jetton_amount:VarUint16
  min_out:VarUint16 has_ref_address:Bool addrs:^StonfiSwapAddresses
stonfi_swap_forward_payload#25938561 token_wallet:MsgAddress min_out:VarUint16 to_address:MsgAddress
  referral_address:(Maybe MsgAddress)
pay_to_params amount0_out:VarUint16 token0_address:MsgAddress amount1_out:VarUint16 token1_address:MsgAddress
  = StonfiPayToParams
stonfi_payment_request#f93bb43f query_id:uint64 owner:MsgAddress exit_code:uint32
  params:(Either StonfiPayToParams ^StonfiPayToParams)
stonfi_provide_liquidity_forward_payload#fcf9e58f token_wallet:MsgAddress min_lp_out:VarUint16
stonfi_swap_ok_forward_payload#c64370e5
stonfi_swap_ok_ref_forward_payload#45078540

pton_ton_transfer#01f3835d query_id:uint64 ton_amount:Coins refund_address:MsgAddress forward_payload:EitherCell
pton_ton_refund#ae25d79e query_id:uint64
pton_reset_gas#29d22935 query_id:uint64
pton_deploy_wallet#4f5f4313 query_id:uint64 owner_address:MsgAddress excesses_address:MsgAddress
pton_internal_deploy#6540cf85 query_id:uint64 excesses_address:MsgAddress

additional_fields to_user_address:MsgAddress refund_address:MsgAddress excess_address:MsgAddress
  = StonfiCallbackAddresses
stonfi_cb_add_liquidity_v2#06ecd527 query_id:uint64 tot_am0:VarUint16 tot_am1:VarUint16 user_address:MsgAddress
  min_lp_out:VarUint16 fwd_amount:Coins custom_payload_cs:MaybeCell _:^StonfiCallbackAddresses
additional_fields_add_liquidity_v2 refund_address:MsgAddress excess_address:MsgAddress = StonfiLiquidityAddresses
stonfi_add_liquidity_v2#50c6a654 query_id:uint64 new_amount0:VarUint16 new_amount1:VarUint16 min_lp_out:VarUint16
  fwd_amount:Coins both_positive:uint1 to_user:MsgAddress custom_payload_cs:MaybeCell _:^StonfiLiquidityAddresses
provide_lp_body_v2 min_lp_out:VarUint16 to_address:MsgAddress both_positive:uint1 fwd_amount:Coins
  custom_payload:MaybeCell = StonfiProvideBody
dex_payload_provide_lp_v2 transferred_op:uint32 token_wallet1:MsgAddress refund_address:MsgAddress
  excesses_address:MsgAddress tx_deadline:uint64 _:^StonfiProvideBody = StonfiProvidePayload
stonfi_provide_lp_v2#37c096df query_id:uint64 from_user:MsgAddress left_amount:VarUint16 right_amount:VarUint16
  _:^StonfiProvidePayload
cross_provide_lp_body min_lp_out:VarUint16 to_address:MsgAddress both_positive:uint1 fwd_amount:Coins
  custom_payload:MaybeCell = StonfiCrossProvideBody
stonfi_provide_lp_v2_forward_payload#37c096df token_wallet1:MsgAddress refund_address:MsgAddress
  excesses_address:MsgAddress tx_deadline:uint64 _:^StonfiCrossProvideBody
swap_body min_out:VarUint16 receiver:MsgAddress fwd_gas:Coins custom_payload:MaybeCell refund_fwd_gas:Coins
  refund_payload:MaybeCell ref_fee:uint16 ref_address:MsgAddress = StonfiSwapBody
dex_payload transferred_op:uint32 token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress
  tx_deadline:uint64 _:^StonfiSwapBody = StonfiSwapPayload
stonfi_swap_v2#6664de2a query_id:uint64 from_user:MsgAddress left_amount:VarUint16 right_amount:VarUint16
  _:^StonfiSwapPayload
cross_swap_body min_out:VarUint16 receiver:MsgAddress fwd_gas:Coins custom_payload:MaybeCell refund_fwd_gas:Coins
  refund_payload:MaybeCell ref_fee:uint16 ref_address:MsgAddress = StonfiCrossSwapBody
stonfi_swap_v2_forward_payload#6664de2a token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress
  tx_deadline:uint64 _:^StonfiCrossSwapBody
additional_info_pay_to_v2 fwd_ton_amount:Coins amount0_out:VarUint16 token0_address:MsgAddress amount1_out:VarUint16
  token1_address:MsgAddress = StonfiPayToInfo
stonfi_pay_to_v2#657b54f5 query_id:uint64 to_address:MsgAddress excesses_address:MsgAddress original_caller:MsgAddress
  exit_code:uint32 custom_payload:MaybeCell _:^StonfiPayToInfo
additional_info_pay_vault_v2 amount0_out:VarUint16 token0_address:MsgAddress amount1_out:VarUint16
  token1_address:MsgAddress = StonfiPayVaultInfo
stonfi_pay_vault_v2#63381632 query_id:uint64 owner:MsgAddress excesses_address:MsgAddress _:^StonfiPayVaultInfo
stonfi_withdraw_fee_v2#354bcdf4 query_id:uint64
stonfi_deposit_ref_fee_v2#0490f09b query_id:uint64 jetton_amount:VarUint16 excesses_address:MsgAddress
stonfi_vault_pay_to_v2#2100c922 query_id:uint64 amount_out:VarUint16 token_address:MsgAddress to_address:MsgAddress
stonfi_burn_notification_ext_v2#297437cf query_id:uint64 jetton_amount:VarUint16 from_address:MsgAddress
  response_address:MsgAddress maybe_custom_payload:MaybeCell
`
