"""Every call that leaves this service goes through `client`; `urls` and `addresses` say where to.

Empty on purpose: services may judge a URL without loading an HTTP client.
"""
