# fish completion for cacpd. Use it with: cacpd completion fish | source
function __cacpd_offers
  # From fish 4 on -x is what -o was: words without their quotes.
  set -l typed (commandline -xpc 2>/dev/null; or commandline -opc)
  set -g __cacpd_offered (cacpd complete -- $typed (commandline -ct) 2>/dev/null)
  test (count $__cacpd_offered) -gt 0
end
complete -c cacpd -n __cacpd_offers -f -a '$__cacpd_offered'
