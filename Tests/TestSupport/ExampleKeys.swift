/// Keys of RFC 8032 section 7.1, in the PEM form that OpenSSL writes.
public enum ExampleKeys {
    /// The first private key.
    public static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
        -----END PRIVATE KEY-----

        """
    /// The public key of `privatePEM`.
    public static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
        -----END PUBLIC KEY-----

        """
    /// The second public key.
    public static let otherPublicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=
        -----END PUBLIC KEY-----

        """
}
